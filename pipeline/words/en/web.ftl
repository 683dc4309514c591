# The web page and its HTTP API.
web-empty = Write something, attach a file, or both.
web-bad-json = The body is not valid JSON: { $problem }
web-bad-shape = The body is not as expected at { $where }: { $problem }
web-bad-query = The query is not as expected at { $where }: { $problem }
web-bad-form = The form could not be read: { $problem }
web-two-sources = An attachment has either data_base64 or a url; { $name } has both or neither.
web-wrong-media-type = Send JSON (application/json) or a form (multipart/form-data), not { $media_type }.
web-file-empty = The file { $name } is empty (0 bytes).
web-file-too-large = The file { $name } is too large: at most { $limit } MB each.
web-body-too-large = { $limit ->
    [0] The request is too large.
   *[other] That's more than { $limit } MB in one message. Please send fewer or smaller files.
  }
web-too-many-files = Too many files: at most { $limit } at once.
web-text-too-long = The message is too long: at most { $limit } characters.
web-unknown-thread = There is no such conversation, or it belongs to somebody else. Leave "thread" out to start a new one.
web-unknown-run = There is no such run, or it belongs to somebody else.
web-unknown-step = The run has no such step.
web-unknown-file = This file no longer exists.
web-unknown-action = There is no such action: { $action }
web-unknown-page = There is nothing at this address.
web-wrong-method = This address doesn't accept { $method }.
web-token-missing = A token is needed here: send it as "Authorization: Bearer …", or sign in on the page.
web-token-wrong = Wrong token.
web-owner-only = Only the owner of this installation can do that: sign in with TROUPE_OWNER_TOKEN.
web-too-many-tries = Too many attempts. Please wait a minute, then try again.
web-too-many-streams = Too many answers are being followed at once. Close some of them, then try again.
web-other-origin = This request comes from another web site and was refused.
web-other-host = Requests to { $host } are not accepted here.
web-not-taken = This message was already received and is not answered again.
web-bad-key = That key is too long, or has blanks or special characters. An Idempotency-Key has at most { $limit } characters of ASCII.
web-key-used = That Idempotency-Key came with another request before. Please use a new one for each request.
web-broken-off = The bot was stopped before it could answer. It will continue when it runs again.
web-port-taken = The web page cannot listen on { $host }:{ $port } ({ $problem }). Set TROUPE_WEB_PORT to a free port.
web-needs-token = TROUPE_WEB_TOKEN is missing: it is needed when TROUPE_WEB_HOST is not loopback.
web-wrong-request = The request can't be read.
web-sign-in = Sign in
web-token-label = The token of this installation (TROUPE_WEB_TOKEN, or TROUPE_OWNER_TOKEN for its owner)
web-compressed = Send the body uncompressed.
web-too-slow = The request took too long to arrive. Please try again.
web-needs-session = Conversations are listed only for a browser with a session. Programs share one person: they reach a conversation by its name.
web-device-title = Your conversations on this device
web-device-explained = This opens the conversations of whoever made this link, and they can read what you write here from now on. Continue only if you made the link yourself. Conversations that this browser had before are no longer shown in it.
web-device-open = Open them here
web-device-over = This link was used already, or is too old. Make a new one on the other device.
