# Kinds of tasks as people speak of them, in the middle of a sentence. A sentence's argument that is the name of a kind is said like this.
kind-text-classification = 文章の感情や分類の判定
kind-token-classification = 文章中の名前や場所の検出
kind-text2text-generation = 文章の書き換え
kind-summarization = 要約
kind-translation = 翻訳
kind-question-answering = 文章についての質問への回答
kind-conversational = 会話
kind-text-generation = 文章の作成
kind-fill-mask = 文章の空欄の補完
kind-feature-extraction = 文章の埋め込みの計算
kind-sentence-similarity = 文章の比較
kind-zero-shot-classification = 指定ラベルによる文章の分類
kind-tabular-classification = 表の分類の予測
kind-tabular-regression = 表の数値の予測
kind-table-question-answering = 表についての質問への回答
kind-image-to-text = 画像の説明
kind-text-to-image = 言葉からの画像の作成
kind-visual-question-answering = 画像についての質問への回答
kind-image-classification = 画像の分類
kind-zero-shot-image-classification = 指定ラベルによる画像の分類
kind-object-detection = 画像の中の物の検出
kind-zero-shot-object-detection = 画像の中の指定した物の検出
kind-image-segmentation = 画像の名前付き領域への分割
kind-mask-generation = 画像の領域への分割
kind-depth-estimation = 画像の奥行きの推定
kind-image-to-image = 画像の見た目の変更
kind-image-text-to-image = 画像の中身の変更
kind-optical-character-recognition = 画像の文字の読み取り
kind-document-question-answering = 文書についての質問への回答
kind-document-to-text = 文書の文字の取り出し
kind-automatic-speech-recognition = 音声の文字起こし
kind-text-to-speech = 読み上げ
kind-audio-classification = 音の分類
kind-audio-to-audio = 音の浄化や分離
kind-text-to-video = 言葉からの動画の作成
kind-image-to-video = 画像を動かすこと
kind-video-classification = 動画の分類
kind-media-conversion = ファイルの切り出しや変換
kind-document-conversion = ページの分割・結合・回転
kind-table-conversion = 表の並べ替え・絞り込み・変換
kind-table-to-chart = 表からのグラフ作成
kind-canny-control = 画像の輪郭の描画
kind-hed-control = 画像の柔らかい輪郭の描画
kind-mlsd-control = 画像の直線の描画
kind-normal-control = 画像の面の推定
kind-openpose-control = 画像の中の姿勢の検出
kind-scribble-control = 画像の落書き化
kind-depth-control = 画像の深度の推定
kind-seg-control = 画像のセグメントへの分割
kind-canny-text-to-image = 輪郭に沿った画像の作成
kind-hed-text-to-image = 柔らかい輪郭に沿った画像の作成
kind-mlsd-text-to-image = 直線に沿った画像の作成
kind-normal-text-to-image = 指定した面による画像の作成
kind-openpose-text-to-image = 指定した姿勢の画像の作成
kind-scribble-text-to-image = 落書きからの画像の作成
kind-depth-text-to-image = 指定した奥行きの画像の作成
kind-seg-text-to-image = セグメントからの画像の作成
medium = { $type ->
    [image] 画像
    [audio] 音声
    [video] 動画
    [document] 文書
    [table] 表
   *[other] テキスト
}
