# What only Discord says.
discord-asked = { $name } asked: { $words }
discord-thread = For { $name }
discord-no-files = I may not attach files here. These are the files:
discord-file-elsewhere = { $name } lies at { $host }, which is not one of Discord's file hosts.
discord-file-page = Discord's file host sent a web page instead of { $name }.
discord-token-wrong = Discord does not know this DISCORD_TOKEN. Copy the token of your application from { $link } (Bot → Reset Token).
discord-token-revoked = Discord does not take this DISCORD_TOKEN any more. Make a new one at { $link } (Bot → Reset Token).
discord-intent-missing = Discord does not let the bot read messages: turn on "Message Content Intent" at { $link } (Bot → Privileged Gateway Intents).
discord-closed = Discord closed the connection for good. Look at the application at { $link }.
discord-forbidden = Discord does not allow the bot to do this here ({ $problem }).
discord-gone = That is not there any more in Discord ({ $problem }).
discord-refused = Discord refused what the bot sent ({ $problem }).
discord-unreachable = Discord could not be reached.
discord-aside = I may not write in { $channel }, so I answer you here. A server admin can give me the permissions "Send Messages" and "Send Messages in Threads" there.
discord-nowhere = There is no place left in Discord where the bot may answer this.

# What the doctor finds.
doctor-discord-token-good = Discord knows this token: the bot is { $name }.
doctor-discord-intent-good = The bot may read messages (Message Content Intent is on).
doctor-discord-gateway-good = Discord's gateway takes the connection.
doctor-discord-no-server = The bot is in no server yet. Open the link and add it to one.
doctor-discord-permission = The bot has not the permission "{ $permission }" in { $where }.
doctor-discord-permissions-good = All permissions are there in { $where }.
doctor-discord-channel = There is no channel { $channel } that the bot sees.
doctor-discord-hello = Hello from the doctor; this goes away by itself.
doctor-discord-round-trip = A message was said, edited and taken back in { $channel }.
