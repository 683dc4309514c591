# モデルの結果にないことを述べた回答で、直したこと。
check-struck = 存在しないファイルやアドレスをこの回答から { $count } 件取り除きました。
check-mended = この回答の数値を { $count } か所、モデルの結果に合わせて直しました。
check-marked = (?) は、どのモデルの結果にもない内容の後に付きます。
respond-empty = { $kind }では何も見つかりませんでした。
respond-itself = { $kind }の結果：{ $found }。
respond-doubt = { $kind }について、モデルは確信が持てていません。
respond-disagree = モデルの結果が一致しません。{ $first }では{ $one }、{ $second }では{ $other }です。
