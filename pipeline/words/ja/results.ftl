# 結果を示すファイルの内容。
alt-chart = モデルの確信度のグラフ：{ $labels }
alt-table = 表（{ $what }）の最初の行を画像にしたもの
alt-poster = 動画（{ $what }）の最初の画面
alt-depth = 物までの距離：近いものは明るく、遠いものは暗い
output-cut = モデルの回答が長すぎるため、最初の { $count } 件だけを残しました。
sheet-read = { $file } は { $count } シートのうち最初の「{ $sheet }」だけを読みました。
