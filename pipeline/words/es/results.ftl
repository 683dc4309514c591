# Qué hay en los archivos que muestran un resultado.
alt-chart = Gráfico de lo seguro que está el modelo: { $labels }
alt-table = Las primeras filas de una tabla ({ $what }) como imagen
alt-poster = Primera imagen de un vídeo ({ $what })
alt-depth = A qué distancia están las cosas: lo cercano claro, lo lejano oscuro
output-cut = El modelo respondió más de lo que guardo; aquí están los primeros { $count } elementos.
sheet-read = De { $file } solo se leyó la hoja «{ $sheet }», la primera de { $count }.
