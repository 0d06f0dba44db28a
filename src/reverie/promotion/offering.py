"""A proof bundle first, then the promotion that names it: the one way to offer a dream."""

from dataclasses import replace
from pathlib import Path

from reverie.model.codec import pick
from reverie.model.cycle import Promotion, Proven
from reverie.model.events import EventName
from reverie.promotion.bundle.writing import Sealing, write_bundle
from reverie.promotion.decision_records import append_flags, flags_of
from reverie.promotion.promoter import Offer, Promoter


def offer_dream(
    promoter: Promoter, proven: Proven, offer: Offer, sealing: Sealing, bundles: Path
) -> Promotion:
    """Seal the proof of a dream in a folder of `bundles`, then offer the dream.

    Done again, after whatever interrupted it, it comes to the same.
    """
    offer = replace(offer, author_keys=(*offer.author_keys, sealing.key.public))
    promoter.require_promotable(proven, offer)
    found = promoter.find(proven, replace(offer, bundle=bundles / proven.dream.id))
    if found is not None and (bundles / proven.dream.id).is_dir():
        return found
    written = write_bundle(bundles, proven, sealing, promoter.repository)
    named = replace(offer, bundle=written.folder, bundle_digest=written.digest)
    promotion = promoter.promote(proven, named)
    if promoter.alignment.enabled:
        report = flags_of(proven, promoter.alignment)
        about = {"dream_id": proven.dream.id}
        append_flags(bundles.parent, report, offer.at, about, promoter.publish)
    promoter.publish(EventName.PROMOTION_CREATED, _told(promotion))
    return promotion


def _told(promotion: Promotion) -> dict[str, object]:
    return pick(promotion, "dream_id kind title branch commit patch roi raroi")
