# What only Discord says.
discord-asked = { $name } preguntó: { $words }
discord-thread = Para { $name }
discord-no-files = Sin el permiso "{ $permission }" no puedo adjuntar archivos aquí. Estos son los archivos:
discord-file-elsewhere = { $name } está en { $host }, que no es uno de los servidores de archivos de Discord.
discord-file-page = El servidor de archivos de Discord envió una página web en vez de { $name }.
discord-token-wrong = Discord no conoce este DISCORD_TOKEN. Copia el token de tu aplicación en { $link } (Bot → Reset Token).
discord-token-revoked = Discord ya no acepta este DISCORD_TOKEN. Crea uno nuevo en { $link } (Bot → Reset Token).
discord-intent-missing = Discord no deja que el bot lea mensajes: activa "Message Content Intent" en { $link } (Bot → Privileged Gateway Intents).
discord-closed = Discord cerró la conexión definitivamente. Revisa la aplicación en { $link }.
discord-forbidden = Discord no permite que el bot haga esto aquí ({ $problem }).
discord-gone = Eso ya no está en Discord ({ $problem }).
discord-refused = Discord rechazó lo que envió el bot ({ $problem }).
discord-unreachable = No se pudo contactar con Discord.
discord-aside-gone = El lugar donde preguntaste ya no existe, así que te respondo aquí.
discord-aside-late = Discord ya no acepta mensajes donde preguntaste, así que te respondo aquí.
discord-aside-locked = «{ $channel }» está bloqueado, así que respondo aquí.
discord-aside-permission = En { $channel } me falta el permiso "{ $permission }", así que esto llega aquí. Quien administra el servidor puede dármelo.
discord-permission-read_messages = Ver canales
discord-permission-send_messages = Enviar mensajes
discord-permission-send_messages_in_threads = Enviar mensajes en hilos
discord-permission-attach_files = Adjuntar archivos
discord-nowhere = No queda ningún lugar en Discord donde el bot pueda responder a esto.

# What the doctor finds.
doctor-discord-token-good = Discord conoce este token: el bot es { $name }.
doctor-discord-intent-good = El bot puede leer mensajes (Message Content Intent está activado).
doctor-discord-intent-missing = El bot solo lee menciones, mensajes directos y comandos. Para que siga un hilo sin menciones, activa "Message Content Intent" en { $link } (Privileged Gateway Intents).
doctor-discord-gateway-good = El gateway de Discord acepta la conexión.
doctor-discord-no-server = El bot aún no está en ningún servidor. Abre el enlace y añádelo a uno.
doctor-discord-permission = Al bot le falta el permiso "{ $permission }" en { $where }.
doctor-discord-permissions-good = Están todos los permisos en { $where }.
doctor-discord-channel = No hay ningún canal { $channel } que el bot vea.
doctor-discord-hello = Saludos del doctor; esto desaparece solo.
doctor-discord-round-trip = Se escribió, editó y retiró un mensaje en { $channel }.
