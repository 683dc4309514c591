command-learned = Lo aprendido aquí de los 👍, y retirarlo
option-do = Qué hacer; vacío: mostrar las entradas
option-entry = Qué entrada, o "all" para todas
vote-learned = Gracias, anotado. Las peticiones parecidas se planificarán aquí así (véase la orden "learned").
learned-off = Aquí está desactivado aprender de los votos.
learned-nothing = Aquí aún no se ha aprendido nada. Un 👍 a una respuesta convierte su plan en ejemplo para peticiones parecidas.
learned-heading = { $count ->
    [one] Gustó un plan; las peticiones parecidas se planifican aquí así.
   *[other] Gustaron { $count } planes; las peticiones parecidas se planifican aquí así.
  } "learned forget" con una entrada la retira.
learned-elsewhere = de otro canal
learned-unknown = Nada de lo aprendido aquí se llama { $entry }.
learned-forgotten = { $count ->
    [one] Olvidado, y retirado el 👍.
   *[other] { $count } entradas olvidadas, y retirados sus 👍.
  }
plan-as-liked = Planificado como ya gustó aquí antes (véase "learned").
model-price = Precio
model-price-tokens = ${ $prompt } de entrada, ${ $completion } de salida por millón de tokens ({ $provider })
details-cost = Coste conocido: { $cost }
details-behind = Después habrían venido { $models }.
