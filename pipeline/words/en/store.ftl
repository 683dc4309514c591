# What is kept: database and files
store-url = TROUPE_DATABASE_URL is not the address of a database. Set it to sqlite:///path/to/file or postgresql://user:password@host/database.
store-driver = PostgreSQL needs an extra: .venv/bin/python -m pip install ".[postgres]". Or leave TROUPE_DATABASE_URL empty for a local file.
store-in-use = Another Troupe is already using { $file }. Stop it first, or give this one a TROUPE_DATABASE_URL of its own.
store-newer = The database was made by a newer Troupe (revision { $revision }). Install that version, or restore an older database.
store-no-revision = There is no revision { $revision } to go back to. The revisions are the files in migrations/versions; "base" removes all tables.
store-unreadable = { $url } is not a database, or it is damaged. Move it away or restore it, or set TROUPE_DATABASE_URL to another place.
store-unwritable = { $url } cannot be opened for writing. Check the permissions of the file and its folder, or set TROUPE_DATABASE_URL to another place.
store-refused = The database server refused { $url }. Check user, password and database name in TROUPE_DATABASE_URL.
store-unreached = The database { $url } cannot be reached. Check TROUPE_DATABASE_URL and that the server is running.
store-full = The disk is full. Nothing can be saved until there is space again.
store-gone = My database can't be reached right now. Please try again in a moment.
store-slow = Saving takes long right now. Please try again in a moment.
store-waiting = { $problem ->
    [store-full] My disk is full, so I can't save anything right now.
    [store-slow] Saving takes long right now.
   *[other] I can't reach my database right now.
  } This has to wait: I'll go on as soon as I can. There's no need to send it again.
store-stopped = I was stopped before I could save this. Please send it again.
store-damaged = My database is damaged. Please tell an admin: it has to be restored from a backup.
files-unwritable = The folder { $folder } cannot be written to. Check its permissions, or set TROUPE_FILES_URL to another place.
backup-done = Saved the database and { $files } files in { $file }.
backup-done-files = Saved { $files } files in { $file }. The database isn't in it: dump it with pg_dump.
backup-nothing = There is no database at { $file } yet, so there is nothing to save.
backup-unwritable = { $file } can't be written: { $problem }. Nothing was saved.
backup-unreadable = { $file } can't be unpacked: { $problem }. Nothing was restored.
backup-wrong = { $file } isn't a backup of this version of Troupe, or it is damaged or cut off. Nothing was restored.
restore-not-empty = There are conversations here already. To replace them with the backup: troupe restore --replace
restore-no-database = There is no database in this backup: it was on a server. Set TROUPE_DATABASE_URL to its address first.
restore-done = Restored the database and { $files } files from { $file }.
restore-done-files = Restored { $files } files from { $file }. The database is restored on its server, with pg_restore.
