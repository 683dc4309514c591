command-learned = Lo aprendido aquí de los 👍, y retirarlo
option-do = Qué hacer; nada: mostrarlo
option-entry = Qué entrada, o "all" para todas
vote-learned = Gracias, anotado. Las peticiones parecidas se planificarán aquí así (véase la orden "learned").
learned-off = Aquí no se aprende nada de los votos; está desactivado.
learned-nothing = Aquí aún no se ha aprendido nada. Un 👍 a una respuesta enseña su plan.
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
