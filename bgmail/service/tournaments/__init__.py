"""Tournaments: made, entered, started, run by a job, and read by pages and the API.

`creating` makes one, `entering` takes and gives up places, `commands` is what organisers say, `advancing` is the job,
and `views` is what everybody reads. The formats are in `bgmail.pairing`.
"""
