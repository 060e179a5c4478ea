"""Input that is made to hurt, and the table of what it costs: ``cleancrawl bench --hostile``.

To add an attack, write a generator with ``@attack`` into a module here whose name ends in ``_attacks``; to attack
another part of the package, name a function for it in ``victims``.
"""
