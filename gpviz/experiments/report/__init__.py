"""The paper's experiments done again, told as one self-contained web page."""

from gpviz.experiments.report.page import REPORT, Report, report_page, write_report
from gpviz.experiments.report.report_data import PLANS, open_store, store_path

__all__ = ["PLANS", "REPORT", "Report", "open_store", "report_page", "store_path", "write_report"]
