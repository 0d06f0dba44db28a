"""A cycle for people and programs: one document, and one page that opens from disk."""

from reverie.cycle.report.document import cycle_document, report_document
from reverie.cycle.report.page import report_page

__all__ = ["cycle_document", "report_document", "report_page"]
