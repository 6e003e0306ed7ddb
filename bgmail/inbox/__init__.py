"""A way in by mail: what a person wrote is read, and what is beyond doubt is carried out.

The reader is pure: from the bytes of a mail to what its writer says, without a look at matches or people.
"""
