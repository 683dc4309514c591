# Files of rows on the command line: `troupe plan --batch`, `troupe plan --read`, `troupe evaluate`.
rows-not-read = Impossible de lire { $file } : { $problem }
row-not-json = La ligne { $line } n'est pas du JSON.
row-no-object = La ligne { $line } n'est pas un objet JSON.
row-no-request = Il manque à la ligne { $line } un "user_request" contenant des mots.
row-broke = Quelque chose s'est cassé dans le programme lui-même à la ligne { $line }. C'est dans le journal.
rows-no-llm = Il n'y a pas de modèle de langue pour planifier : définis HF_TOKEN, OPENAI_BASE_URL ou OPENAI_API_KEY.
rows-not-labelled = Aucune ligne de { $file } n'est une demande avec sa solution.
judge-garbled = { $model } n'a pas jugé sous la forme demandée.
rows-not-written = Impossible d’écrire { $file } : { $problem }
sheet-no-column = La feuille n’a pas de colonne « { $column } ».
sheet-no-mark = Ligne { $row } : « { $cell } » n’est ni 1 ni 0. Sans avis, laissez la cellule vide.
