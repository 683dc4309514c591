# Files of rows on the command line: `troupe plan --batch`, `troupe plan --read`, `troupe evaluate`.
rows-not-read = No se pudo leer { $file }: { $problem }
row-not-json = La línea { $line } no es JSON.
row-no-object = La línea { $line } no es un objeto JSON.
row-no-request = A la línea { $line } le falta "user_request" con palabras.
row-broke = Algo se rompió en el propio programa en la línea { $line }. Está en el registro.
rows-no-llm = No hay ningún modelo de lenguaje con el que planificar: define HF_TOKEN, OPENAI_BASE_URL u OPENAI_API_KEY.
rows-not-labelled = Ninguna línea de { $file } es una petición con su solución.
judge-garbled = { $model } no juzgó en la forma pedida.
rows-not-written = No se pudo escribir { $file }: { $problem }
sheet-no-column = La hoja no tiene la columna «{ $column }».
sheet-no-mark = Fila { $row }: «{ $cell }» no es ni 1 ni 0. Sin opinión, deje la celda vacía.
