# What only Discord says.
discord-asked = { $name } asked: { $words }
discord-thread = For { $name }
discord-no-files = I'm not allowed to attach files here. These are the files:
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
discord-aside = I can't write in { $channel }, so I'm answering you here. A server admin can give me the permissions "Send Messages" and "Send Messages in Threads" there.
discord-nowhere = There is nowhere left in Discord where the bot may answer this.

# What the doctor finds.
doctor-discord-token-good = Discord knows this token: the bot is { $name }.
doctor-discord-intent-good = The bot may read messages (Message Content Intent is on).
doctor-discord-gateway-good = Discord's gateway accepts the connection.
doctor-discord-no-server = The bot isn't in any server yet. Open the link and add it to one.
doctor-discord-permission = The bot lacks the permission "{ $permission }" in { $where }.
doctor-discord-permissions-good = The bot has all permissions in { $where }.
doctor-discord-channel = There is no channel { $channel } that the bot can see.
doctor-discord-hello = Hello from the doctor. This message will be deleted.
doctor-discord-round-trip = Posted, edited and deleted a message in { $channel }.
