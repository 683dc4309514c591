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
store-damaged = Mi base de datos está dañada. Avisa a un administrador, por favor: hay que restaurarla desde una copia de seguridad.
files-unwritable = No se puede escribir en la carpeta { $folder }. Revisa sus permisos, o define TROUPE_FILES_URL con otro lugar.
