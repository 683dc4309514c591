# The chat in the terminal.
console-welcome = Ask for something. Name files by their path, or drag them into this window.
console-keys = /file PATH adds a file, /new starts a new conversation, /quit leaves. Ctrl-C stops what is running.
console-attached = Added { $name }. Now say what to do with it.
console-no-file = There is no file { $path }.
console-file-unreadable = The file { $name } cannot be read: { $problem }
console-new = A new conversation begins.
console-stopping = Stopping …
console-leave = Press Ctrl-C once more to leave.
console-going-on = Continuing with: { $text }
console-task = { $step }. { $what }
console-saved = Saved { $path }
console-made = { $alt } (made by { $model })
console-notice = Note: { $notice }
console-apology = That didn't work: { $reason }
console-broken = The bot was stopped before it could answer. It will continue when it runs again.
