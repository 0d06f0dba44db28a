"""Dask clusters: one that exists, or one of this machine's own."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from reverie.errors import MachineryError, UsageError

if TYPE_CHECKING:
    from reverie.bootstrap.cluster_workers import Parcel
    from reverie.cycle.workshop import Job, LocalWorkshop, Work, Workshop
    from reverie.model.cycle import CycleWishes, Step
    from reverie.model.dream import Dream
    from reverie.settings import Loaded

SCHEME = "dask://"
CONNECT_SECONDS = 20.0
RETRIES = 2
"""Of a job in which our side failed; one whose worker is lost is begun again besides."""
LOST_WORKERS = 100
"""That one job may outlive, in a cluster of our own: a job that kills workers is refused then."""


class DaskJob:
    """A job of the cluster."""

    def __init__(self, future: Any) -> None:
        self._future = future

    def wait(self, seconds: float) -> Work | None:
        """What came back; None when it takes longer."""
        from distributed import CancelledError, KilledWorker

        try:
            found: Work = self._future.result(timeout=seconds)
        except TimeoutError:
            return None
        except KilledWorker as error:
            raise MachineryError(f"the cluster lost too many workers: {error}") from error
        except CancelledError as error:
            raise MachineryError("the cluster forgot a job, as after a restart") from error
        return found

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        self._future.cancel()


class DaskCrew:
    """The workers of a cluster, given the parcel once."""

    def __init__(self, client: Any, parcel: Parcel) -> None:
        from reverie.bootstrap.cluster_workers import keep

        self._client = client
        self._parcel = client.submit(keep, parcel, key=_key("parcel"), pure=False)

    @property
    def workers(self) -> int:
        """Threads of all workers that are there now."""
        threads: Mapping[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def dream(self, step: Step, seed: int) -> Job:
        """Have a step's dreamer let loose."""
        from reverie.bootstrap import cluster_workers

        return self._submit(cluster_workers.dream, step, seed)

    def prove(self, dream: Dream, seed: int) -> Job:
        """Have a dream tried."""
        from reverie.bootstrap import cluster_workers

        return self._submit(cluster_workers.prove, dream, seed)

    def _submit(self, work: Any, *what: Any) -> Job:
        name = _key(work.__name__)
        return DaskJob(
            self._client.submit(work, self._parcel, *what, key=name, pure=False, retries=RETRIES)
        )


@contextmanager
def spread_out(
    here: LocalWorkshop, loaded: Loaded, wishes: CycleWishes, workers: int
) -> Iterator[tuple[Workshop, int]]:
    """The workshop and how many steps it works on at once: here, or over a cluster."""
    from reverie.model.dream import Stage
    from reverie.model.settings.cycle import LOCAL

    executor = loaded.settings.cycle.executor
    if executor == LOCAL:
        yield here, workers
        return
    if wishes.stage is Stage.C:
        raise UsageError("--stage speed measures time, and that on one machine: --executor local")
    from reverie.bootstrap.cluster_workers import pack
    from reverie.cycle.workshop import SpreadWorkshop

    recorded = loaded.repository_journal_url if loaded.settings.journal.record else None
    with connected(executor) as client:
        crew = DaskCrew(client, pack(here.grounds, loaded.settings, wishes, recorded))
        yield SpreadWorkshop(here, crew), crew.workers


@contextmanager
def connected(executor: str) -> Iterator[Any]:
    """A client of the cluster at `dask://host:port`."""
    distributed = _distributed()
    address = "tcp://" + executor.removeprefix(SCHEME)
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(f"no cluster answers at {executor!r}: {error}") from error
    try:
        if not client.nthreads():
            raise UsageError(f"the cluster at {executor!r} has no workers")
        yield client
    finally:
        client.close()


@contextmanager
def own_cluster(host: str, port: int, workers: int) -> Iterator[str]:
    """A cluster of this machine, while it lasts; its address as `--executor` takes it."""
    distributed = _distributed()
    import dask

    with dask.config.set({"distributed.scheduler.allowed-failures": LOST_WORKERS}):
        try:
            cluster = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                host=host,
                scheduler_port=port,
                dashboard_address=None,
            )
        except (OSError, RuntimeError) as error:
            raise UsageError(f"cannot start a cluster on {host}:{port}: {error}") from error
        with cluster:
            yield SCHEME + cluster.scheduler_address.partition("://")[2]


def about_cluster(executor: str) -> Mapping[str, Any]:
    """The workers of a cluster."""
    with connected(executor) as client:
        workers = client.scheduler_info(n_workers=-1)["workers"]
        return {
            "address": executor,
            "workers": [
                {"name": str(each["name"]), "address": address, "threads": each["nthreads"],
                 "pid": _pid(client, address)}
                for address, each in sorted(workers.items())
            ],
        }  # fmt: skip


def _pid(client: Any, address: str) -> int | None:
    import os

    found: Mapping[str, int] = client.run(os.getpid, workers=[address])
    return found.get(address)


def _key(what: str) -> str:
    return f"reverie-{what}-{uuid.uuid4().hex}"


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise UsageError("a cluster needs Dask: pip install 'reverie[dask]'") from error
    return distributed
