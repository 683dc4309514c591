# What is kept: database and files
store-full = The disk is full. Nothing can be saved until there is space again.
store-gone = My database can't be reached right now. Please try again in a moment.
store-files-away = My file storage can't be reached right now. Please try again in a moment.
store-slow = Saving takes long right now. Please try again in a moment.
store-waiting = { $problem ->
    [store-full] My disk is full, so I can't save anything right now.
    [store-slow] Saving takes long right now.
    [store-files-away] I can't reach my file storage right now.
   *[other] I can't reach my database right now.
  } This has to wait: I'll go on as soon as I can. There's no need to send it again.
store-stopped = I was stopped before I could save this. Please send it again.
store-damaged = My database is damaged. Please tell an admin: it has to be restored from a backup.
