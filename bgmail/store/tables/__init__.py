"""Every table of bgmail as SQLModel classes; Alembic makes them, `bgmail.store` reads and writes them.

Rows are rows: they don't validate. Instants are aware UTC datetimes; the log's `at` is in microseconds.
"""

from bgmail.store.tables.attendance import AttendanceRow
from bgmail.store.tables.base import metadata
from bgmail.store.tables.belongings import ChatRow, MatchNoteRow, PersonNoteRow, SketchRow, VisitRow
from bgmail.store.tables.forecasts import TournamentForecastRow
from bgmail.store.tables.inbound import InboundRow, SenderRow
from bgmail.store.tables.matches import ActionRow, ImportRow, InvitationRow, MatchRow, SecretRow
from bgmail.store.tables.notices import (
    ChoiceRow,
    DeliveryRow,
    ErrandRow,
    HoursRow,
    NoticeRow,
    ReportRow,
    TroubleRow,
)
from bgmail.store.tables.orders import PreparedReplyRow, StandingOrderRow
from bgmail.store.tables.outages import OutageRow
from bgmail.store.tables.people import AccountRow, BoardPreferenceRow, FeedRow, LoginRow, SpentRow, TieRow
from bgmail.store.tables.processes import AllowanceRow, PulseRow
from bgmail.store.tables.push import BrowserRow, PushKeyRow
from bgmail.store.tables.ratings import RatingChangeRow, RatingRow
from bgmail.store.tables.series import MemberRow, SeriesRow
from bgmail.store.tables.tournaments import (
    EntryRow,
    OrganiserRow,
    PairingRow,
    TournamentLogRow,
    TournamentRow,
    TournamentSecretRow,
)
from bgmail.store.tables.vacations import VacationRow
from bgmail.store.tables.webhooks import WebhookCallRow, WebhookRow

__all__ = [
    "AccountRow",
    "ActionRow",
    "AllowanceRow",
    "AttendanceRow",
    "BoardPreferenceRow",
    "BrowserRow",
    "ChatRow",
    "ChoiceRow",
    "DeliveryRow",
    "EntryRow",
    "ErrandRow",
    "FeedRow",
    "HoursRow",
    "ImportRow",
    "InboundRow",
    "InvitationRow",
    "LoginRow",
    "MatchNoteRow",
    "MatchRow",
    "MemberRow",
    "NoticeRow",
    "OrganiserRow",
    "OutageRow",
    "PairingRow",
    "PersonNoteRow",
    "PreparedReplyRow",
    "PulseRow",
    "PushKeyRow",
    "RatingChangeRow",
    "RatingRow",
    "ReportRow",
    "SecretRow",
    "SenderRow",
    "SeriesRow",
    "SketchRow",
    "SpentRow",
    "StandingOrderRow",
    "TieRow",
    "TournamentForecastRow",
    "TournamentLogRow",
    "TournamentRow",
    "TournamentSecretRow",
    "TroubleRow",
    "VacationRow",
    "VisitRow",
    "WebhookCallRow",
    "WebhookRow",
    "metadata",
]
