# Files of rows on the command line: `troupe plan --batch`, `troupe plan --read`, `troupe evaluate`.
rows-not-read = { $file } を読めませんでした：{ $problem }
row-not-json = { $line } 行目は JSON ではありません。
row-no-object = { $line } 行目は JSON オブジェクトではありません。
row-no-request = { $line } 行目に、言葉の入った "user_request" がありません。
row-broke = { $line } 行目でプログラム自体に不具合が起きました。ログに記録されています。
rows-no-llm = 計画に使う言語モデルがありません。HF_TOKEN、OPENAI_BASE_URL または OPENAI_API_KEY を設定してください。
rows-not-labelled = { $file } には正解付きの依頼が 1 行もありません。
judge-garbled = { $model } は求めた形で評価しませんでした。
rows-not-written = { $file } に書き込めませんでした：{ $problem }
sheet-no-column = シートに「{ $column }」という列がありません。
sheet-no-mark = { $row } 行目：「{ $cell }」は 1 でも 0 でもありません。判断しない場合は空欄にしてください。
