# The chat in the terminal.
console-welcome = ¿Qué necesitas? Indica los archivos por su ruta o arrástralos a esta ventana.
console-keys = /file RUTA añade un archivo, /new empieza otra conversación, /quit sale. Ctrl-C detiene lo que está en marcha.
console-attached = Añadido { $name }. Ahora dime qué hago con él.
console-no-file = No hay ningún archivo { $path }.
console-file-unreadable = No se puede leer el archivo { $name }: { $problem }
console-new = Empieza una conversación nueva.
console-stopping = Deteniendo …
console-leave = Pulsa Ctrl-C otra vez para salir.
console-going-on = Sigo con: { $text }
console-task = { $step }. { $what }
console-saved = Guardado: { $path }
console-made = { $alt } (hecho por { $model })
console-notice = Nota: { $notice }
console-apology = No ha salido bien: { $reason }
console-broken = El bot se detuvo antes de responder. Cuando vuelva a funcionar, seguirá por sí solo.
