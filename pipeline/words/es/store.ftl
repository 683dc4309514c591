# What is kept: database and files
store-url = TROUPE_DATABASE_URL no es la dirección de una base de datos. Indica sqlite:///ruta/al/archivo o postgresql://usuario:contraseña@servidor/base.
store-driver = PostgreSQL necesita un extra: .venv/bin/python -m pip install ".[postgres]". O deja TROUPE_DATABASE_URL vacío para usar un archivo local.
store-in-use = Otro Troupe ya trabaja con { $file }. Detenlo antes, o da a este un TROUPE_DATABASE_URL propio.
store-newer = La base de datos es de un Troupe más nuevo (revisión { $revision }). Instala esa versión o restaura una base de datos anterior.
store-no-revision = No hay ninguna revisión { $revision } a la que se pueda volver. Las revisiones son los archivos de migrations/versions; «base» quita todas las tablas.
store-unreadable = { $url } no es una base de datos, o está dañada. Muévela o restáurala, o define TROUPE_DATABASE_URL con otro lugar.
store-unwritable = No se puede abrir { $url } para escribir. Revisa los permisos del archivo y de su carpeta, o define TROUPE_DATABASE_URL con otro lugar.
store-refused = El servidor de base de datos rechazó { $url }. Revisa usuario, contraseña y nombre de la base en TROUPE_DATABASE_URL.
store-unreached = No se puede contactar con la base de datos { $url }. Revisa TROUPE_DATABASE_URL y que el servidor esté en marcha.
store-full = El disco está lleno. No se puede guardar nada más hasta que haya espacio.
store-gone = Ahora mismo no tengo acceso a mi memoria. Inténtalo de nuevo en un momento, por favor.
store-slow = Guardar tarda mucho ahora mismo. Inténtalo de nuevo en un momento, por favor.
store-waiting = { $problem ->
    [store-full] Mi disco está lleno y ahora no puedo guardar nada.
    [store-slow] Guardar tarda mucho ahora mismo.
   *[other] Ahora mismo no tengo acceso a mi base de datos.
  } Esto tiene que esperar: seguiré en cuanto pueda. No hace falta que lo envíes otra vez.
store-stopped = Me detuvieron antes de poder guardar esto. Envíalo otra vez, por favor.
store-damaged = Mi base de datos está dañada. Avisa a un administrador, por favor: hay que restaurarla desde una copia de seguridad.
files-unwritable = No se puede escribir en la carpeta { $folder }. Revisa sus permisos, o define TROUPE_FILES_URL con otro lugar.
backup-done = La base de datos y { $files } archivos están guardados en { $file }.
backup-done-files = { $files } archivos están guardados en { $file }. La base de datos no está incluida: guárdala con pg_dump.
backup-nothing = Aún no hay ninguna base de datos en { $file }, así que no hay nada que guardar.
backup-unwritable = No se puede escribir { $file }: { $problem }. No se guardó nada.
backup-unreadable = No se puede desempaquetar { $file }: { $problem }. No se restauró nada.
backup-wrong = { $file } no es una copia de seguridad de esta versión de Troupe, o está dañada o incompleta. No se restauró nada.
restore-not-empty = Aquí ya hay conversaciones. Para reemplazarlas por la copia: troupe restore --replace
restore-no-database = En esta copia no hay base de datos: estaba en un servidor. Pon antes su dirección en TROUPE_DATABASE_URL.
restore-done = La base de datos y { $files } archivos de { $file } están restaurados.
restore-done-files = { $files } archivos de { $file } están restaurados. La base de datos se restaura en su servidor, con pg_restore.
