# What only Slack gives occasion to say.
slack-status = está en ello …
slack-loading =
    Leyendo tu mensaje …
    Planificando los pasos …
    Eligiendo un modelo para cada paso …
    Ejecutando los pasos …
slack-prompt-draw = Dibujar una imagen
slack-prompt-draw-text = Dibuja un faro al amanecer.
slack-prompt-poem = Escribir un poema y leerlo en voz alta
slack-prompt-poem-text = Escribe un poema corto sobre el mar y léelo en voz alta.
slack-prompt-translate = Traducir una frase
slack-prompt-translate-text = Traduce «¿Dónde está la estación?» al francés.
slack-prompt-mood = Valorar el ánimo de una reseña
slack-prompt-mood-text = ¿Cuál es el sentimiento de esta reseña? «La habitación era preciosa y el personal, amable.»
slack-prompt-read = Leer un texto en voz alta
slack-prompt-read-text = Lee esto en voz alta: «Buenos días a todos. La reunión empieza a las diez.»
slack-prompt-help = ¿Qué sabes hacer?
slack-unreachable = No se pudo contactar con Slack desde esta máquina. ¿Está en línea o detrás de un proxy?
slack-refused = { $code ->
    [is_archived] El canal está archivado.
    [channel_not_found] El canal ya no existe, o no puedo verlo.
    [not_in_channel] Ya no estoy en el canal.
    [restricted_action] No puedo escribir allí.
    [restricted_action_read_only_channel] No puedo escribir allí.
    [restricted_action_thread_only_channel] No puedo escribir allí.
    [restricted_action_thread_locked] El hilo está bloqueado.
    [storage_limit_reached] El espacio de trabajo no tiene más sitio para archivos.
    [file_uploads_disabled] Este espacio de trabajo no permite subir archivos.
   *[other] Slack rechazó { $method }: { $code }
}
slack-scope-missing = No puedo hacer eso aquí: a la aplicación le falta el scope { $scope }. Un admin puede añadirlo.
slack-could-not-answer = No pude responderte en { $channel }: { $reason }
slack-about = Sobre { $place }:
slack-not-in-channel = No estoy en esta conversación. Invítame con /invite o escríbeme un mensaje directo.
slack-not-your-channel = No veo que estés en esta conversación, así que no hago nada en ella.
slack-asked = { $name } pregunta: { $text }
slack-usage = Escríbelo así: `{ $usage }`
slack-unknown-word = No existe la orden «{ $name }»: `{ $slash } help` las muestra. Para pedir algo: `{ $slash } ask …`.
slack-unknown-command = No existe el comando «{ $name }». ¿Querías decir `{ $slash } { $nearest }`? Para una petición que empiece con esa palabra, escribe `{ $slash } ask …`.
slack-which-thread = ¿A qué hilo te refieres?
slack-pick-thread = Elige un hilo
slack-no-threads = Todavía no he respondido en ningún hilo de este canal.
slack-form-title = Preguntar a Troupe
slack-form-description = Pide con palabras y archivos, desde cualquier lugar
slack-form-channel = ¿Dónde quieres la respuesta?
slack-form-direct = En un mensaje directo para ti
slack-form-submit = Preguntar
slack-form-large = { $name } tiene { $size } MB. Acepto hasta { $limit } MB.
slack-form-empty = Escribe lo que te gustaría.
slack-home-works = Lo que funciona aquí
slack-home-requests = Tus últimas peticiones
slack-home-none = Ninguna todavía. Escríbeme aquí o mencióname en un canal.
slack-home-all = Ver todo
slack-home-missing = Lo que aún no funciona
slack-home-settings = Ajustes de un canal
slack-home-choose = Elige un canal para ver o cambiar sus ajustes.
slack-home-channel = Elige un canal
slack-home-change = Cambiar
slack-form-close = Cerrar
slack-file-sign-in = Slack no entregó { $name }, sino su página de inicio de sesión: a la app le falta el scope files:read o el acceso al archivo.
slack-file-elsewhere = { $name } está en otro servicio ({ $host }) y no puedo obtenerlo de allí. Súbelo aquí.
slack-file-gone = Slack ya no tiene ningún archivo llamado { $name }.
slack-bot-token-wrong = SLACK_BOT_TOKEN no funciona ({ $code }). Toma el "Bot User OAuth Token" de { $link }
slack-app-token-wrong = SLACK_APP_TOKEN no funciona ({ $code }). Crea uno con el scope connections:write en { $link }
slack-revoked = La app se quitó del espacio de trabajo o se revocó su token. Instálala de nuevo en { $link }
slack-not-installed = La app ya no está instalada en este espacio de trabajo ({ $team }).
slack-rotation = Esta aplicación usa la rotación de tokens, que Troupe no admite y que Slack no permite desactivar. Crea la aplicación de nuevo con el manifiesto que muestra `troupe slack manifest`.
slack-secret-key-bad = TROUPE_SECRET_KEY no es una clave Fernet. Crea una con: { $command }
slack-secret-key-wrong = TROUPE_SECRET_KEY no descifra los tokens de los espacios de Slack instalados. Pon la clave con la que se guardaron después de la nueva y una coma.
