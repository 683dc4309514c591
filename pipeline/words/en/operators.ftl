# What only operators read: English alone, in no other language.

# The command line and the doctor.
settings-wrong = These settings do not work:
    { $problems }
    docs/operator-guide.md explains them.
settings-unreadable = The settings in .env or troupe.toml can't be read: { $problem }
home-unwritable = The folder { $folder } can't be used for data: { $problem }. Set TROUPE_HOME to a writable folder.
serving-page =
    Troupe is ready:  { $address }
    Open this address in your browser and click one of the examples. { $more ->
        [yes] “Do more” there turns on language models, Slack and Discord.
       *[no] {""}
    }
    Press Ctrl-C here to stop.
secret-is-set = TROUPE_SECRET is set, so it is what signs people in. To sign everybody out, give it another value for every Troupe on this database ({ $command }), and restart them.
signed-out = Everybody is signed out of the web page, and links to files no longer work.
serving-chat = Troupe is listening on { $platform }.
doctor-data = Data is stored in { $where }.
doctor-no-llm = No language model is configured: the built-in planner and responder are used. Set HF_TOKEN, OPENAI_API_KEY or OPENAI_BASE_URL for better plans.
doctor-llm-off = TROUPE_CONTROLLER is off: the built-in planner and responder are used.
doctor-says = It says: “{ $words }”
doctor-llm-unlisted = The server has no model { $model }. It lists: { $models }
doctor-llm-room = The context of { $model } holds { $room } tokens; planning needs { $least }.
doctor-llm-room-refused = { $model } doesn't take a prompt as long as planning needs ({ $least } tokens).
doctor-llm-room-unknown = { $model } takes prompts as long as planning needs ({ $least } tokens). The server doesn't say how much its context holds: { $room } tokens are assumed, unless TROUPE_LLM_CONTEXT is set.
doctor-llm-sees-wrong = Asked for the colours of a blue and a red square, it said: { $reply }
doctor-hub-list = The list of served models can be read: { $count } for { $task }, { $dropped } unreadable.
doctor-hub-list-bad = The list of served models can't be used: { $problem }. Until it can, the models that Troupe knows itself are offered.
nearby-found = A language model runs on this machine: { $model } at { $address }. To use it, put this line into .env: OPENAI_BASE_URL={ $address }
nearby-used = OPENAI_BASE_URL is auto: { $model } at { $address } is used.
nearby-none = OPENAI_BASE_URL is auto, but no language model runs on this machine (looked at { $addresses }). The built-in planner and responder are used.
doctor-traces-good = Traces of runs are sent to { $where }.
doctor-traces-bad = Traces of runs can't be sent to { $where }: nothing there takes them. Is OTEL_EXPORTER_OTLP_ENDPOINT the address of a collector, for OTLP over HTTP?
doctor-traces-off = No traces are sent to { $where }: the exporter isn't installed, or OTEL_TRACES_EXPORTER names another one.
doctor-sandbox-good = Worker processes have no network, and reach neither this program nor its data.
doctor-sandbox-bad = Worker processes can reach what they should not: { $reached }. { $lacking ->
    [nothing] TROUPE_HOME or .env lies in a folder of programs; move it.
   *[other] The kernel lacks, or the container hides: { $lacking }. See "Sandbox" in docs/operator-guide.md.
  }
doctor-sandbox-none = Worker processes run without a sandbox: only Linux has one.
doctor-embedded-good = The built-in experts are installed.
doctor-embedded-bad = Some built-in experts are not installed: { $missing }.
doctor-experts-good = The expert server of this machine runs at { $address }.
doctor-experts-none = The extra [local] is installed, but there is no model in { $folders }. Download some (troupe experts pull starter), then restart.
doctor-kinds = { $can } of { $all } kinds of tasks can run here now (`troupe ask tasks` lists them).
doctor-kinds-missing = { $count ->
    [one] One more kind of task would run on this machine with a model that is free to use:
   *[other] { $count } more kinds of tasks would run on this machine with models that are free to use:
  }
doctor-no-platform = Neither Slack nor Discord is configured: the web page is served. Set SLACK_BOT_TOKEN or DISCORD_TOKEN.
doctor-token-short = { $setting } is short, and nothing slows down guessing it. Set a longer one:
doctor-readable = Others on this machine can read { $path }.
doctor-server-good = The expert server at { $address } answers; it has { $count } models.
doctor-server-empty = The expert server at { $address } answers, but it has no models. Put some into its folders.
doctor-server-refused = The expert server at { $address } refuses TROUPE_EXPERTS_TOKEN. Set the token it was started with.
doctor-unreached = { $status ->
    [0] Nothing answers at { $address }. Check that it is running and that { $setting } is right.
   *[other] { $address } answers with status { $status }. Check { $setting }.
  }
doctor-ffmpeg-good = ffmpeg works.
doctor-ffmpeg-bad = ffmpeg doesn't work: videos and most sounds can't be converted.
doctor-timeout = No answer within { $seconds } s: { $name }.
doctor-broke = The check itself failed: { $name } ({ $problem }).
setting-unknown = There is no setting { $name }. Did you mean { $nearest }?
setting-unknown-plain = There is no setting { $name }. See docs/operator-guide.md.
setting-retired = The setting { $name } no longer has any effect; you can remove it.
chat-broke = It failed and is being restarted; see the log.
doctor-done = { $wrong ->
    [0] Everything works.
    [one] One thing to fix.
   *[other] { $wrong } things to fix.
  }

# Proxies and certificates.
network-no-proxy = No proxy is set (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY): everything is reached directly.
network-proxy = { $scheme } goes through the proxy { $proxy } ({ $setting }).
network-exceptions = Never through a proxy: this machine, and what NO_PROXY names: { $entries }.
network-exception-odd = NO_PROXY: { $entry } matches nothing. Write a host (example.com), an address or a network (10.0.0.0/8).
network-through = Through the proxy: { $clients }.
network-past = Directly: { $clients }.
network-certificates = Trusted besides the system's certificates: { $files }.
network-proxy-login = The proxy { $proxy } wants a user name and a password, or refuses those that it was sent. Write { $setting }=http://USER:PASSWORD@HOST:PORT, with special characters as %XX.
network-proxy-failed = The proxy { $proxy } does not connect to { $host } ({ $problem }). Check { $setting }, allow the host at the proxy, or name it in NO_PROXY if it can be reached without.
network-certificate = The certificate of { $host } is not trusted ({ $problem }). If the proxy or your organisation signs certificates itself, set SSL_CERT_FILE to a PEM file with its own certificate.

# Database, files and backups.
store-url = TROUPE_DATABASE_URL is not the address of a database. Set it to sqlite:///path/to/file or postgresql://user:password@host/database, with special characters of the password as %XX (%40 for @).
store-url-parameters = TROUPE_DATABASE_URL has parameters that Troupe does not know: { $names }. Take them out.
store-driver = PostgreSQL needs an extra: .venv/bin/python -m pip install -e ".[postgres]". Or leave TROUPE_DATABASE_URL empty for a local file.
telemetry-extra = No traces are sent: OpenTelemetry's variables ask for them, but the extra [telemetry] is not installed. Install it (.venv/bin/python -m pip install -e ".[telemetry]"), or set OTEL_SDK_DISABLED=true.
telemetry-exporter = No traces are sent: the exporter { $exporter } that OTEL_TRACES_EXPORTER names cannot be used here ({ $problem }). With the extra [telemetry] there are otlp (over HTTP) and console.
store-in-use = Another Troupe is already using { $file }. Stop it first, or give this one a TROUPE_DATABASE_URL of its own.
lease-lost = Another program with this database works on this now.
replicas-differ = Another Troupe on this database (on { $host }) has other values of { $names }. Give all of them the same values, or stop the other one first.
replicas-files = Another Troupe on this database (on { $host }) keeps its files in another folder. Let both use the same one, such as a network drive or a bucket (TROUPE_FILES_URL), or stop the other one first.
replica-clock = The clock of this machine and that of the database are { $seconds } seconds apart. Set both right (with NTP), then start again.
doctor-replica = Replica { $id } on { $host }: version { $version }, started { $started }, last seen { $seen } s ago.
store-newer = The database was made by a newer Troupe (revision { $revision }). Install that version, or restore an older database.
store-no-revision = There is no revision { $revision } to go back to. The revisions are the files in migrations/versions; "base" removes all tables.
store-unreadable = { $url } is not a database, or it is damaged. Move it away or restore it, or set TROUPE_DATABASE_URL to another place.
store-unwritable = { $url } cannot be opened for writing. Check the permissions of the file and its folder, or set TROUPE_DATABASE_URL to another place.
store-refused = The database server refused { $url }. Check user, password and database name in TROUPE_DATABASE_URL.
store-forbidden = The user of TROUPE_DATABASE_URL may not make, or not write, the tables in { $url }. Give the user the database: ALTER DATABASE name OWNER TO user; and what another user made in it: ALTER TABLE name OWNER TO user.
store-read-only = The database { $url } can only be read: it is a standby, or default_transaction_read_only is on. Name the server that takes writes in TROUPE_DATABASE_URL.
store-crowded = The database server of { $url } has no connection left. Raise its max_connections (each Troupe needs ten), or stop what else uses it.
store-unreached = The database { $url } cannot be reached. Check TROUPE_DATABASE_URL and that the server is running.
files-unwritable = The folder { $folder } cannot be written to. Check its permissions, or set TROUPE_FILES_URL to another place.
copy-to-server = TROUPE_DATABASE_URL does not name a database on a server: set it to the address of the new one, such as postgresql://troupe@host/troupe. Nothing was copied.
copy-nothing = There is no database at { $file }. Name the file: troupe db copy FILE
copy-not-empty = There is something in the database that TROUPE_DATABASE_URL names already. Copy into an empty one. Nothing was copied.
copy-done = Copied { $rows } rows from { $file }. The file is as it was. The files of conversations are where TROUPE_FILES_URL says.
files-driver = TROUPE_FILES_URL names a bucket, which needs an extra: .venv/bin/python -m pip install -e ".[s3]". Or leave it empty for a local folder.
files-bucket-settings = { $bucket } can't be used as it is set ({ $problem }). Check TROUPE_FILES_URL, AWS_ENDPOINT_URL_S3 and AWS_REGION.
files-bucket-missing = There is no bucket { $bucket } at { $server }. Make it, or correct TROUPE_FILES_URL.
files-bucket-no-key = There are no credentials for { $bucket }. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine or service account a role.
files-bucket-key = { $server } refuses the credentials for { $bucket } ({ $problem }). Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, where it is temporary, AWS_SESSION_TOKEN.
files-bucket-refused = These credentials may not do { $action } in { $bucket }. Allow them ListBucket on the bucket, and GetObject, PutObject, DeleteObject and AbortMultipartUpload on what is in it.
files-bucket-region = { $bucket } is not in this region ({ $problem }). Set AWS_REGION to the bucket's.
files-bucket-clock = { $server } refuses requests because the clock of this machine is off. Set it, for example with: timedatectl set-ntp true
files-bucket-unreached = { $server }, where { $bucket } is, cannot be reached ({ $problem }). Check AWS_ENDPOINT_URL_S3 and that the server is running.
files-bucket-failed = { $server } could not do { $action } in { $bucket } ({ $problem }). Look into its log, and try again.
files-moving = { $copied } files copied ({ $megabytes } MB), { $left } left.
files-moved = Copied { $copied } files ({ $megabytes } MB) from { $source } to { $target }; { $there } were there already, { $gone } were forgotten meanwhile, { $left } are left.
files-move-next = Now set TROUPE_FILES_URL={ $target } and TROUPE_FILES_OLD_URL={ $source }, start Troupe again, and run troupe files move once more. Then take TROUPE_FILES_OLD_URL out.
files-move-damaged = { $file } in { $source } is damaged: its bytes are not what its name says. It was not copied.
files-move-broken = { $file } came back with other bytes than were sent. Check the disk or server there, and start again: nothing was deleted.
files-move-where = Say where from and where to: troupe files move --from /a/folder --to s3://bucket/prefix. Both are { $place } now, or no address.
files-move-nothing = There is no folder { $place }. Say where the files are: troupe files move --from /a/folder --to s3://bucket/prefix
files-move-in-use = { $place } is where Troupe keeps its files now, so nothing is deleted there. Set TROUPE_FILES_URL to the other place first.
backup-done = Saved the database and { $files } files in { $file }.
backup-done-files = Saved { $files } files in { $file }. The database isn't in it: dump it with pg_dump.
backup-bucket = The files aren't in it: they are in { $bucket }, whose server keeps them. For a copy of them on a disk: troupe files move --from { $bucket } --to /a/folder
backup-nothing = There is no database at { $file } yet, so there is nothing to save.
backup-unwritable = { $file } can't be written: { $problem }. Nothing was saved.
backup-unreadable = { $file } can't be unpacked: { $problem }. Nothing was restored.
backup-wrong = { $file } isn't a backup of this version of Troupe, or it is damaged or cut off. Nothing was restored.
restore-not-empty = There are conversations here already. To replace them with the backup: troupe restore --replace
restore-no-database = There is no database in this backup: it was on a server. Set TROUPE_DATABASE_URL to its address first.
restore-done = Restored the database and { $files } files from { $file }.
restore-done-files = Restored { $files } files from { $file }. The database is restored on its server, with pg_restore.

# The expert server.
local-not-json = The body has to be a JSON object with "inputs"; "parameters", if there are any, is an object, too.
local-needs-text = "{ $name }" has to be a non-empty text.
local-needs-texts = "{ $name }" has to be a list of texts.
local-needs-number = "{ $name }" has to be a number.
local-needs-file = The input has to be a file: its bytes as the body, or base64.
local-picture-unreadable = The picture can't be read.
local-sound-unreadable = The sound can't be read.
local-film-unreadable = The video can't be read.
local-no-gap = The text has no gap; write { $gap } where the word is missing.
local-no-mask = This model needs a mask: send "mask_image", such as the regions that an image-segmentation finds.
local-extra-missing = The extra [{ $extra }] is not installed. In the checkout: make local
local-token-missing = { $host } can be reached from other machines: set TROUPE_EXPERTS_TOKEN, here and where the bot runs.
pull-list = The best models for this machine ({ $card ->
    [cpu] no graphics card, { $memory } of memory
   *[other] class { $card } GB, { $memory } on the card
  }). Sizes are rounded; the Hub tells the exact ones before anything is fetched.
pull-row = { "  " }{ $kinds }: { $model }, { $size }, { $licence }{ $here ->
    [yes] , here
   *[no] {""}
  }
pull-list-end = Fetch some:  troupe experts pull KIND… (or an id)
    To begin with:  troupe experts pull starter ({ $size }, no graphics card needed)
pull-total = { $count ->
    [one] One model
   *[other] { $count } models
  }, { $size } to fetch into { $folder } ({ $free } are free).
pull-progress = { $model }: { $percent } % ({ $done } of { $all })
pull-fetched = { $model } is complete.
pull-here = { $model } is here already.
pull-done = The expert server finds them by itself: `troupe run` within half a minute if it has one, else at its next start.
pull-done-no-extra = To run them, install the extra [local] (in a checkout: make local), then start Troupe again.
pull-memory = { "    " }It is larger than the server's limit; serve it with: troupe experts --memory-mb { $megabytes }
pull-what = “{ $word }” is neither starter, nor an id (org/name), nor a kind of task that the expert server does: { $kinds }
pull-no-class = There is no class { $name } of machines; there are { $classes } (GB of the graphics card's memory), or auto.
pull-none = No model is recommended for { $what }. Name one by its id: troupe experts pull ORG/NAME
pull-only-licence = For { $what } there is only { $model }, whose licence ({ $licence }) does not allow commercial use. To fetch it anyway: troupe experts pull { $what } --accept-licence
pull-only-larger = For { $what } a graphics card of { $card } GB is needed ({ $model }, { $size }). To fetch it for another machine: troupe experts pull { $what } --tier { $card }
pull-licence = { $model } has a licence that is not known to allow commercial use ({ $licence }). If it suits you: troupe experts pull { $model }
pull-refused = Your settings forbid it: { $reason }
pull-too-large = { $model } needs { $needed } of memory, this machine has { $memory }. If it is for another one, say which: --tier 8, 16, 24 or 80
pull-no-room = { $size } are to be fetched into { $folder }, where only { $free } are free ({ $left } must stay so). Free some, or choose another folder: --models FOLDER
pull-renamed = { $model } is called { $name } now: troupe experts pull { $name }
pull-unknown = The Hub has no model { $model }, or hides it: check the name, or set HF_TOKEN of an account that sees it.
pull-gated = { $model } is given only to those who accept its terms: accept them at { $page }, set HF_TOKEN=hf_… of that account, and run this again.
pull-no-weights = { $model } has no weights that the expert server loads (safetensors or PyTorch's, complete). Choose another model.
pull-token-refused = The Hub refuses the token: set HF_TOKEN to one of https://huggingface.co/settings/tokens, or remove it.
pull-offline = HF_HUB_OFFLINE is set: unset it to download.
pull-hub-failed = The Hub at { $address } failed ({ $problem }). Run this again later: what is here already is kept.
pull-unreached = The Hub at { $address } is not reached ({ $problem }). Check the network and HTTPS_PROXY, then run this again: what is here already is kept.
pull-cut-off = { $model }: the connection was cut off. Run this again: what is here already is kept.
pull-disk-full = The disk is full at { $folder }. Free some space and run this again: what is here already is kept.
pull-unwritable = { $folder } can't be written: { $problem }. Choose another folder: --models FOLDER
pull-damaged = { $file } of { $model } arrived damaged twice. Run this again later; it is not shown to the server until it is right.
pull-running = Another program is just fetching { $model }. Wait for it.
cluster-token-missing = Ray Serve is reached from other machines: set TROUPE_EXPERTS_TOKEN on every machine of the cluster, and where the bot runs.
cluster-environment = This machine of the cluster was started without { $variables }. Take them from deploy/ray/node.env into its environment, then start Ray again.
cluster-arguments = Wrong arguments in the Serve configuration: { $problems }
cluster-not-deployed = No experts are deployed on this cluster. Deploy them: serve deploy deploy/ray/experts.yaml
cluster-unavailable = No replica of the experts runs. See why: serve status
cluster-too-slow = The request took longer than the cluster allows (request_timeout_s).
cluster-failed = The experts failed, or the machine that was at work was lost. The logs of Ray Serve say more.
local-serving = Expert server at { $address }, with the models in { $folders }.
local-kind-unfit = Model { $model } can't do { $task }; it can do { $kinds }.
local-route-unknown = There is nothing at { $path }: POST /models/<id>, GET /models, GET /health.
local-model-unknown = Model { $model } does not exist
local-model-too-large = The model { $model } is too large to load ({ $needed } MB > { $limit } MB)
local-body-too-large = The body is larger than { $megabytes } MB.
local-chat-unreadable = "{ $name }" of the request can't be understood.
local-chat-unable = This server does not take "{ $name }": texts go in, and a text comes out.
local-chat-long = The prompt has { $length } tokens; the context length of the model is { $room }.
local-body-too-slow = The body did not come in time.
local-body-encoded = The body must not be encoded: send it without Content-Encoding.
local-token-refused = Invalid credentials in Authorization header
local-busy = Too many requests are waiting.
local-not-loaded = Model { $model } could not be loaded.
local-failed = Model { $model } failed at { $task }.
local-out-of-memory = Model { $model } ran out of memory.
local-worker-lost = The worker process died while running model { $model }.

# Files of rows on the command line: `troupe plan --batch`, `troupe plan --read`, `troupe evaluate`.
rows-not-read = { $file } could not be read: { $problem }
row-not-json = Line { $line } is not JSON.
row-no-object = Line { $line } is not a JSON object.
row-no-request = Line { $line } has no "user_request" with words in it.
row-broke = The program itself failed at line { $line }. See the log.
rows-no-llm = There is no language model to plan with: set HF_TOKEN, OPENAI_BASE_URL or OPENAI_API_KEY.
rows-not-labelled = No line of { $file } is a labelled request.
judge-garbled = { $model }'s verdict was not in the expected form.
rows-not-written = { $file } could not be written: { $problem }
sheet-no-column = The sheet has no column "{ $column }".
sheet-no-mark = Row { $row }: "{ $cell }" is neither 1 nor 0. Leave the cell empty if there is no opinion.

# The doctor, on Slack.
doctor-slack-installed = Slack: workspaces and organisations with the app: { $count }. To install it: { $link }
doctor-slack-none-installed = Slack: the app is not installed in any workspace yet. To install it: { $link }
doctor-slack-place-bad = Slack: the token of { $name } does not work ({ $code }). Install the app there again.
doctor-slack-place-scopes = Slack: { $name } has not granted { $scopes }. Install the app there again.
doctor-slack-secret-good = Slack: the signing secret is set.
doctor-slack-line-bad = Slack: Socket Mode does not connect: { $problem }
doctor-slack-not-member = Slack: the bot is not in { $channel }, or there is no such channel.
doctor-slack-hello = Hello from the doctor. This message will be deleted.
doctor-slack-round-trip-good = Slack: posted, received, edited and deleted a message in { $channel }.
doctor-slack-round-trip-bad = Slack: the round trip failed: { $problem }
doctor-slack-event-missing = Slack: the bot did not receive its own message. The app is not subscribed to the event { $event }.

# The doctor, on Discord.
doctor-discord-permission = The bot lacks the permission “{ $permission }” in { $where }.
doctor-discord-permissions-good = The bot has all permissions in { $where }.
doctor-discord-channel = There is no channel { $channel } that the bot can see.
doctor-discord-hello = Hello from the doctor. This message will be deleted.
doctor-discord-round-trip = Posted, edited and deleted a message in { $channel }.

# The owner's pages.
owner-unknown-channel = { $channel } is no channel: the key of one is like slack:T1:C1.
# `troupe setup`.
setup-checking = Checking …
setup-choose = What would you like to do?
setup-type-service = Type one of the names on the left, such as openai.
setup-nothing-more = Nothing more
setup-by-key = Use a key for a language model, or a token of Hugging Face
setup-by-server = Use a language model on this machine
setup-by-slack = Connect Slack
setup-by-discord = Connect Discord
setup-by-local = Get models for this machine
setup-by-sharing = Let people share conversations of the page by a link
setup-by-undo = Undo the last change ({ $names })
setup-saved = Saved in { $file }: { $names }. If Troupe is running, start it again to use it.
setup-no-change = no change
