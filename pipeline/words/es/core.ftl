# The pipeline itself: choosing, executing, answering.
stopped = Detenido.
sentence-unknown = (una nota de otra versión de este programa)
chosen-recommended = recomendado para este tipo de tarea
chosen-ranked = el modelo más usado para esto que puede ejecutarse aquí
chosen-planner = elegido por el planificador según su descripción
chosen-channel = ajuste de este canal
chosen-because = { $reason }
chosen-only = el único modelo para esto que puede ejecutarse aquí
not-possible-here = { $kind }: aquí todavía no es posible. Un administrador puede activarlo: el comando «tasks» muestra cómo.
not-possible-owner = { $kind }: aquí todavía no es posible. Para activarlo, añade una línea a .env y reinicia: { $setting }=…
not-possible-installer = { $kind }: aquí todavía no es posible. Puedes activarlo: [Hacer más](#/setup).
not-possible-rules = { $kind } no es posible aquí: las reglas de aquí no dejan ningún modelo para ello.
not-possible-nobody = { $kind } no es posible aquí por ahora: nadie ofrece un modelo para ello.
not-possible-now = { $kind } no es posible aquí en este momento: { $reason }
list-unreached-hub = no se puede acceder a la lista de modelos de Hugging Face.
list-unreached-local = no se puede acceder al servidor de expertos.
not-possible-language = { $kind } no es posible aquí en este idioma ({ $language }): ningún modelo que puedo usar lo conoce.
wanting-or-model = { $needs } o un modelo para ello en el servidor de expertos
wanting-model = un modelo para ello en el servidor de expertos
task-too-long = Tardó más de { $seconds } s y se abandonó.
task-input-missing = El paso anterior no produjo nada que se pudiera usar.
task-input-unreadable = No se pudo leer su entrada ({ $file }).
task-output-unreadable = Lo que devolvió el modelo no es un archivo legible: { $problem }
task-output-missing = El modelo no devolvió lo esperado ({ $missing }).
task-bug = Algo se rompió en el propio bot al hacerlo. Referencia: { $reference }
fallback-planner = No se pudo usar el modelo de lenguaje ({ $reason }), así que planifiqué y respondí con lo que llevo integrado.
fallback-plan = El modelo de lenguaje no hizo ningún plan con sentido, así que planifiqué y respondí con lo que llevo integrado.
fallback-responder = No se pudo usar el modelo de lenguaje ({ $reason }), así que escribí esta respuesta con lo que llevo integrado.
nothing-to-do = No he encontrado nada que hacer aquí. Dime qué quieres, con un archivo si se trata de uno.
file-unused = { $name } no se ha usado: { $reason }
voice-heard = He entendido: «{ $words }»
voice-not-heard = No he podido transcribir tu mensaje de voz. { $reason } También puedes escribir lo que quieres.
voice-language = Ningún modelo de aquí entiende tu idioma.
apology-bug = Algo se rompió en el propio bot. Está en el registro con la referencia { $reference }.
apology-out-of-time = Esto tardó más de { $seconds } s y se abandonó.
apology-still-queued = Había demasiadas peticiones antes que esta. Seguía esperando después de { $seconds } s y se abandonó. Vuelve a probar más tarde.
answer-empty = Aquí tienes.
answer-in-file = El texto completo está en { $file }. Empieza así:

# What is in a file, for those who cannot see or hear it.
alt-found = Imagen con lo encontrado marcado: { $found }
alt-spoken = Se oye: { $words }
alt-made-from = { $type ->
    [image] Imagen hecha
    [audio] Grabación hecha
    [video] Vídeo hecho
   *[other] Archivo hecho
 } a partir de las palabras: { $words }
alt-changed = { $type ->
    [image] La imagen, cambiada
    [audio] La grabación, cambiada
    [video] El vídeo, cambiado
   *[other] El archivo, cambiado
 } como se pidió: { $words }
alt-made = { $kind }: { $what }
