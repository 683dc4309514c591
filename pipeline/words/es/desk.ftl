# Commands and buttons.
command-ask = Pide algo, con un archivo si quieres
command-models = Los modelos que pueden ejecutarse aquí
command-model = Todo sobre un modelo
command-tasks = Todos los tipos de tarea y dónde pueden ejecutarse
command-plan = El plan de la última petición de este hilo
command-status = Lo que está en marcha
command-stop = Detener lo que está en marcha en este hilo
command-forget = Olvidarme a mí, este hilo o este canal
command-settings = Ver o cambiar los ajustes de este canal
command-help = Lo que puedo hacer
command-whoami = Tu id y el de este canal
option-text = Lo que quieres
option-file = Un archivo del que se trata
option-kind = Un tipo de tarea
option-search = Palabras que buscar
option-id = El identificador del modelo
option-what = Qué olvidar
option-name = El ajuste
option-value = Su nuevo valor, o "default"
form-files = Archivos de los que se trata
unknown = desconocido
models-none = Ningún modelo que pueda ejecutarse aquí encaja con «{ $words }».
model-unknown = No conozco ningún modelo llamado { $name }.
model-kind = Tipo de tarea
model-places = Se ejecuta en
model-licence = Licencia
model-languages = Idiomas
model-downloads = Descargas
model-size = Tamaño
model-revision = Revisión
model-likes = Me gusta
model-gated = Acceso
model-gated-yes = primero hay que aceptar su licencia en el Hub
model-nowhere = por ahora en ningún sitio de aquí
model-rules = No se puede usar aquí
model-record = Aquí hasta ahora, { $kind }: { $attempts ->
    [0] aún sin usar
    [one] usado una vez, { $failures } fallidas, unos { $seconds } s, 👍 { $ups }, 👎 { $downs }
   *[other] usado { $attempts } veces, { $failures } fallidas, unos { $seconds } s, 👍 { $ups }, 👎 { $downs }
  }
tasks-enabled-by = poner { $what } en .env y reiniciar
tasks-nobody = nadie ofrece ahora un modelo para ello
tasks-rules = las reglas de este canal no dejan ningún modelo para ello
help-intro = Dime qué quieres, con archivos si hace falta (en un canal, mencióname): planifico los pasos, elijo modelos expertos, los ejecuto y respondo en el hilo. Sigue en el hilo con tu próximo mensaje. Comandos:
whoami = { $name ->
    [you] Tu id es { $id } (idioma { $locale }),
    [me] Tu id es { $id } (idioma { $locale }),
   *[other] Eres { $name } (id { $id }, idioma { $locale })
  } en el canal { $channel } de { $workspace } en { $platform }. Troupe { $version }.
plan-none = Aún no hay ningún plan en este hilo.
status = { $here ->
    [0] Aquí no hay nada en marcha
    [one] Aquí hay una petición en marcha
   *[other] Aquí hay { $here } peticiones en marcha
  }, { $everywhere } en total. Troupe { $version }.
status-places = Los modelos se ejecutan en: { $places }.
stop-done = { $count ->
    [0] No había nada que detener.
   *[other] Detenido.
  }
details-estimate = Estimado de antemano: { $estimate }
state-done = hecho en { $seconds } s
state-skipped = no empezada, porque la tarea { $task } no se hizo
erase = { $scope ->
    [me] Esto borra para siempre tus mensajes en todos los canales de aquí, mis respuestas y sus archivos. No se puede deshacer.
    [thread] Esto borra para siempre todo lo que guardo de este hilo, con sus archivos. No se puede deshacer.
    [channel] Esto borra para siempre todo lo que guardo de este canal: hilos, archivos y ajustes. No se puede deshacer.
   *[other] `{ $what }` borra para siempre lo que está guardado. No se puede deshacer.
  }
erase-title = ¿Borrar para siempre?
erase-yes = Borrar
erase-no = Cancelar
erase-cancelled = No se ha borrado nada.
forget-what = Dime qué olvidar: me (a ti), thread (el hilo) o channel (el canal).
forgotten = { $scope ->
    [me] Olvidado: tus mensajes en todos los canales de aquí, mis respuestas y sus archivos.
   *[thread] Olvidado: todo lo dicho en este hilo, con sus archivos.
  } Entradas borradas: { $rows }. Archivos borrados: { $files }.
forgotten-thread = Olvidado a petición de { $name }: todo lo dicho en este hilo. Entradas borradas: { $rows }. Archivos borrados: { $files }.
forgotten-channel = Olvidado a petición de { $name }: todo lo dicho en este canal. Entradas borradas: { $rows }. Archivos borrados: { $files }.
settings-unknown = No existe el ajuste { $name }; hay { $names } y model:<tipo de tarea>.
settings-bad = { $value } no sirve; hay: { $choices }.
settings-heading = Ajustes de este canal:
setting-places = Dónde pueden ejecutarse los modelos
setting-mention = Cuándo hay que mencionarme en los hilos
setting-listen = Dónde guardo los mensajes para otros
setting-language = Mi idioma aquí
setting-learn = Dónde sirven de ejemplo los planes
setting-licence = Licencias que pueden tener los modelos
vote-kept = Gracias, anotado.
vote-compared = Gracias, anotado: { $model } es mejor.
run-forgotten = Ya no recuerdo esa petición.
perhaps-repeated = ({ $platform } no dijo si esto ya había llegado, así que puede aparecer dos veces.)
command-unknown = No existe el comando { $name }; "help" los enumera.
command-not-repeated = Los comandos no se pueden repetir con un botón. Vuelve a enviar el comando, por favor.
not-allowed = No puedes usarme aquí. Alguien que administre puede cambiarlo.
not-allowed-admins = Solo quienes administran pueden hacer eso ({ $what }).
over-limit-person = Han sido más de { $limit } peticiones en un minuto. Espera { $seconds } s, por favor.
over-limit-channel = Este canal ha hecho más de { $limit } peticiones en un minuto. Espera { $seconds } s, por favor.
text-too-long = El mensaje tiene { $length } caracteres y acepto hasta { $limit }. Envíalo como archivo.
file-too-large = ocupa { $size } MB y acepto como máximo { $limit } MB.
apology-patience = Me han interrumpido { $attempts } veces con esto y lo dejo. Vuelve a pedirlo, por favor.

# The command line.
plan-no-task = Esto no necesita ninguna tarea; respondería directamente.
file-not-read = No se puede leer { $file }: { $problem }
menu-none = En este mensaje no hay nada con lo que trabajar.
menu-describe-none = En este mensaje no hay ninguna imagen ni archivo.
menu-transcribe-none = En este mensaje no hay ninguna grabación ni vídeo.
menu-describe = Describir
menu-describe-wish = Describe esto.
menu-read = Leer en voz alta
menu-read-wish = Lee esto en voz alta.
menu-transcribe = Transcribir
menu-transcribe-wish = Transcribe esto.
menu-translate = Traducir
menu-translate-wish = Traduce esto al español.
menu-summarize = Resumir
menu-summarize-wish = Resume esto.
menu-thread = Resumir el hilo
menu-thread-wish = Resume este hilo.
tasks-extra = instalarlo con { $what } y reiniciar
tasks-needs = necesita { $what }
tasks-none = Ahora mismo no funciona nada aquí.
tasks-works = Lo que funciona aquí:
tasks-missing = Lo que aún no funciona, y qué lo cambiaría:
tasks-set-up = Puedes activar más sin editar ningún archivo: [Hacer más](#/setup).
tasks-more = { $count ->
    [one] La administración podría activar una cosa más.
   *[other] La administración podría activar { $count } cosas más.
  }
tasks-pick = Más sobre …
models-heading = Modelos que funcionan aquí:
models-for = { $kind }:
models-pick = Modelos para …
models-rest = { $count } más. Para encontrar uno: models y una palabra de su nombre.
setting-mention-value = { $value ->
    [always] siempre
    [threads] no en los hilos en los que participo
   *[default] como en todas partes
  }
setting-listen-value = { $value ->
    [threads] en los hilos en los que participo
    [all] en todo este canal
   *[default] como en todas partes
  }
setting-language-value = { $value ->
    [default] el de la petición
   *[other] { $value }
  }
setting-learn-value = { $value ->
    [workspace] en todas partes aquí
    [channel] en este canal
    [off] en ninguna parte
   *[default] como en todas partes
  }
setting-licence-value = { $value ->
    [commercial] las que permiten el uso comercial
   *[default] todas
  }
settings-whose = La administración puede cambiarlos.
option-about = De qué se trata
