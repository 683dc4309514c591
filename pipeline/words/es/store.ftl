# What is kept: database and files
store-full = El disco está lleno. No se puede guardar nada más hasta que haya espacio.
store-gone = Ahora mismo no tengo acceso a mi memoria. Inténtalo de nuevo en un momento, por favor.
store-files-away = Ahora mismo no tengo acceso a mi almacén de archivos. Inténtalo de nuevo en un momento, por favor.
store-slow = Guardar tarda mucho ahora mismo. Inténtalo de nuevo en un momento, por favor.
store-waiting = { $problem ->
    [store-full] Mi disco está lleno y ahora no puedo guardar nada.
    [store-slow] Guardar tarda mucho ahora mismo.
    [store-files-away] Ahora mismo no tengo acceso a mi almacén de archivos.
   *[other] Ahora mismo no tengo acceso a mi base de datos.
  } Esto tiene que esperar: seguiré en cuanto pueda. No hace falta que lo envíes otra vez.
store-stopped = Me detuvieron antes de poder guardar esto. Envíalo otra vez, por favor.
store-damaged = Mi base de datos está dañada. Avisa a un administrador, por favor: hay que restaurarla desde una copia de seguridad.
