# What only Discord says.
discord-asked = { $name } asked: { $words }
discord-thread = For { $name }
discord-no-files = I can't attach files here without the permission "{ $permission }". These are the files:
discord-file-elsewhere = { $name } is on { $host }, which isn't one of Discord's file hosts.
discord-file-page = Discord's file host sent a web page instead of { $name }.
discord-token-wrong = Discord doesn't accept DISCORD_TOKEN. Copy your application's token from { $link } (Bot → Reset Token).
discord-token-revoked = Discord no longer accepts DISCORD_TOKEN. Make a new one at { $link } (Bot → Reset Token).
discord-intent-missing = Discord does not let the bot read messages: turn on "Message Content Intent" at { $link } (Bot → Privileged Gateway Intents).
discord-closed = Discord closed the connection for good. Check the application at { $link }.
discord-forbidden = Discord does not allow the bot to do this here ({ $problem }).
discord-gone = That no longer exists in Discord ({ $problem }).
discord-refused = Discord refused what the bot sent ({ $problem }).
discord-unreachable = Discord could not be reached.
discord-aside-gone = The place where you asked is gone, so I'm answering you here.
discord-aside-late = Discord no longer accepts messages where you asked, so I'm answering you here.
discord-aside-locked = “{ $channel }” is locked, so I'm answering here.
discord-aside-permission = In { $channel } I lack the permission "{ $permission }", so this comes here. A server admin can grant it.
discord-permission-read_messages = View Channels
discord-permission-send_messages = Send Messages
discord-permission-send_messages_in_threads = Send Messages in Threads
discord-permission-attach_files = Attach Files
discord-nowhere = There is nowhere left in Discord where the bot may answer this.

# What the doctor finds.
doctor-discord-token-good = Discord knows this token: the bot is { $name }.
doctor-discord-intent-good = The bot may read messages (Message Content Intent is on).
doctor-discord-intent-missing = The bot reads mentions, direct messages and commands only. To let it follow a thread without mentions, turn on "Message Content Intent" at { $link } (Privileged Gateway Intents).
doctor-discord-gateway-good = Discord's gateway accepts the connection.
doctor-discord-no-server = The bot isn't in any server yet. Open the link and add it to one.
doctor-discord-permission = The bot lacks the permission "{ $permission }" in { $where }.
doctor-discord-permissions-good = The bot has all permissions in { $where }.
doctor-discord-channel = There is no channel { $channel } that the bot can see.
doctor-discord-hello = Hello from the doctor. This message will be deleted.
doctor-discord-round-trip = Posted, edited and deleted a message in { $channel }.
