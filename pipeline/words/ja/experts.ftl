# Experts: what went wrong with one.
expert-loading = { $model } はまだ読み込み中です。
expert-busy = { $model } は今混み合っています。
expert-broken = { $model } で障害が起きました（ステータス { $status }）。
expert-unreachable = { $model } に接続できませんでした。
expert-key-refused = { $model } のアクセスキーが拒否されました。
expert-credit-used-up = { $model } に使うアカウントの残高がなくなりました。
expert-access-refused = このアカウントでは { $model } を使えません。先にライセンスへの同意が必要かもしれません。
expert-model-gone = { $model } はもう存在しません。
expert-input-refused = { $model } はこの入力を処理できませんでした。
expert-garbled = { $model } の回答を読み取れません。
expert-answer-too-large = { $model } が { $megabytes } MB を超えるデータを送ってきたため、受け取りませんでした。
expert-not-on-the-wire = { $kind }のモデルはネットワーク経由では使いません。
expert-input-type = { $model } は{ $kind }にこの種類のファイルを使えません。
expert-input-missing = { $kind }には「{ $slot }」が必要ですが、何もありません。
expert-one-sentence = 比べるには少なくとも 2 つの文章が必要です。
expert-table-unfit = 表が空か、{ $cells } セルを超えています。
local-language-unknown = モデル { $model } は言語 { $language } に対応していません。

# Embedded experts: what they say about their own results, and why they could not do something.
embedded-nothing-said = 処理する文章がありませんでした。
embedded-no-file = 処理するファイルがありませんでした。
embedded-file-type = この種類のファイルはここでは処理できません。
embedded-spoken = 機械音声で読み上げました（{ $language }）。
embedded-spoken-cut = 最初の { $characters } 文字だけを読み上げました。
embedded-spoke-nothing = この文章には読み上げられるものがありません。
embedded-no-voice = 「{ $language }」の内蔵音声はありません。
embedded-voice-unable = { $language }の音声ではこれらの文字を読めません：{ $characters }
embedded-picture-too-large = 画像の画素数が多すぎて、ここでは処理できません。
embedded-picture-unreadable = 画像を開けません。
embedded-no-text = 文字は見つかりませんでした。
embedded-read-badly = 読み取りにくかったため、誤りがあるかもしれません。
embedded-document-empty = 文書が空です。
embedded-document-cut = 最初の { $characters } 文字だけを使いました。
embedded-document-broken = 文書が壊れていて読めません。
embedded-document-too-large = 文書が大きすぎて読めません。
embedded-document-unknown = この種類の文書はここでは読めません。PDF、Word（docx）、PowerPoint（pptx）、OpenDocument、EPUB、メール、カレンダー、表計算、HTML、CSV、プレーンテキストは読めます。
embedded-pdf-locked = PDF がパスワードで保護されています。
embedded-pdf-broken = PDF が壊れていて読めません。
embedded-pages-cut = 全 { $pages } ページのうち、最初の { $read } ページを読みました。
embedded-pages-scanned = スキャンされた { $pages } ページは画像として読み取ったため、誤りがあるかもしれません。
embedded-columns-mixed = 段組みの文章が混ざっている可能性があります。
embedded-scans-left = スキャンされたページがほかに { $pages } ページありますが、省きました。
embedded-table-empty = 表に行がありません。
embedded-no-answer = 質問に合うものが文章にありません。
embedded-answer-line = 「{ $line }」の行より
embedded-says = ファイルには「{ $line }」とあります。
embedded-says-part = ファイルには「{ $line }」とあります。「{ $words }」に関するものは見つかりませんでした。
embedded-closest = はっきりした答えは見つかりません。最も近い行：{ $lines }
embedded-part = { $question } → { $answer }
embedded-part-refused = { $question } → 回答なし：{ $answer }
embedded-table-grouped = { $operation }、`{ $group }` ごと
embedded-table-operation =
    { $op ->
        [sum] `{ $column }` の合計
        [mean] `{ $column }` の平均
        [median] `{ $column }` の中央値
        [max] `{ $column }` の最大値
        [min] `{ $column }` の最小値
        [distinct] `{ $column }` の種類の数
        [lookup] `{ $column }`
       *[count] 行数
    }{ $where ->
        [none] 、{ $rows } 行
       *[other] 、{ $rows } 行、条件：{ $where }
    }
embedded-table-unclear = この表からは答えられません。「{ $words }」が分かりません。列：{ $columns }
embedded-table-which-column = この表からは答えられません。列を一つ挙げてください。列：{ $columns }
embedded-table-not-numbers = `{ $column }` では計算できません。数値でない値があるか、二通りに読める数値（1.234）があります。
embedded-table-several-rows = { $rows } 行が当てはまります。`{ $column }` の合計・平均・最大・最小を尋ねるか、行を一つ指定してください。
embedded-table-beyond = この表からは答えられません。行の集計（件数・合計・平均・グループ・絞り込み）と最大・最小ならできます。列：{ $columns }
embedded-heard = 英語のみです。誤った語があるかもしれません。
embedded-heard-partial = 時間切れのため、最初の { $minutes } 分だけです。
embedded-gist = 最も要点を表す文を、そのまま抜き出しました。
embedded-summary = 最も要点を表す文をそのまま並べたもので、言い換えはしていません。
embedded-summary-whole = 短くて要約できないため、全文です
embedded-alike = 意味ではなく言葉を比べたもの
embedded-sound-unreadable = 音声を読み込めません。
embedded-nothing-heard = 聞き取れる話し声はありませんでした。
embedded-faces = { $count ->
    [0] 顔は見つかりませんでした。ここでは顔だけを探します。
   *[other] 顔が { $count } つ見つかりました。ここでは顔だけを探します。
 }
embedded-faces-only = ここで見つけられるのは顔だけで、{ $wanted } は見つけられません。管理者がほかのものを見つけるモデルを追加できます。
embedded-no-filter = 合うフィルターがありません。使えるもの：{ $filters }。ほかの変更には、管理者がモデルを追加できます。
embedded-whole-picture = 画像は全体しか変更できず、一部だけを変えることはできません。管理者はそのためのモデルを追加できます。
embedded-filtered = 画像全体へのフィルター：{ $filters }。
embedded-filter =
    { $name ->
        [colour-pencil-sketch] 色鉛筆画
        [pencil-sketch] 鉛筆画
        [cartoon] 漫画風
        [painting] 絵画風
        [black-and-white] 白黒
        [sepia] セピア
        [denoise] ノイズ除去
       *[blur] ぼかし
        [sharpen] シャープ
        [negative] ネガ
        [upscale] 2倍に拡大
        [smooth] なめらか
        [brighter] 明るく
        [darker] 暗く
        [more-contrast] コントラスト強め
    }
embedded-large-already = ここで拡大できるのは、一辺が { $side } ピクセルまでの画像だけです。
embedded-english-only = 感情を判断できるのは英語の文章だけです。
embedded-mood = 英語の単語から見た感情。皮肉は読み取れません
embedded-not-classes = 列 { $column } には学習できる分類がありません（2 種類以上で、それぞれ複数回必要です）。
embedded-no-column = 列 { $column } はありません。ある列：{ $columns }。
embedded-few-rows = 値がわかっている行は { $rows } 行だけです。学習には少なくとも { $needed } 行必要です。
embedded-no-features = 学習に使えるほかの列がありません。
embedded-classified = 学習に使っていない { $rows } 行での正解率は { $percent }% です。常に最も多い分類を答えた場合は { $usual }% です。
embedded-regressed = 学習に使っていない { $rows } 行での平均のずれは { $off } です。R² { $explained }。
embedded-held-out = 予測した列：{ $column }。値がわかっている行は、その値を見ずに予測しています。埋めた空欄：{ $filled }。
embedded-column-guessed = 列の指定がなかったので、最後の列（{ $column }）を使いました。
embedded-can-files = ここでできること：サイズ変更、切り抜き、回転、反転、時間を指定した切り出し、速度の変更、静止画や音声の取り出し、圧縮、ほかの形式への変換。
embedded-converted =
    { $op ->
        [resize] { $one } ピクセルに収まる大きさにしました。
        [scale] { $percent }% に拡大・縮小しました。
        [crop] { $one } ピクセルに切り抜きました。
        [aspect] { $one } の比率に切り抜きました。
        [rotate] 時計回りに { $one }° 回転しました。
        [flip] 反転しました。
        [keep] { $one } 秒から { $two } 秒までを残しました。
        [keep_end] 最後の { $one } 秒を残しました。
        [drop] 最初の { $one } 秒を除きました。
        [speed] 速さを { $percent }% にしました。
        [type] { $ending } に変換しました。
        [poster] 静止画を取り出しました。
        [sound] 音声を取り出しました。
        [strip] 場所やカメラなどのメタデータを削除しました。
        [frames] { $one } 秒ごとに画像を取り出しました。
        [mute] 音声を除きました。
        [louder] 音量を上げました。
        [quieter] 音量を下げました。
       *[smaller] 圧縮しました。
    }
embedded-not-for-pictures = これは録音と動画でのみ可能で、画像ではできません。
embedded-nothing-left = 切り出したら何も残りませんでした。ファイルがもっと短いのかもしれません。
embedded-no-sound = この動画には音声がありません。
embedded-too-long = ファイルが長すぎて、ここでは処理できません。
embedded-film-unreadable = ファイルが壊れているか、処理できない形式です。
embedded-no-cleaning = 音に対するその処理はここではできません。一定の雑音やハム音を減らす、ステレオの音楽から歌声を除く、音量をそろえる、音の高さを変える、ならできます。管理者がもっとできるモデルを追加できます。
embedded-no-noise = 一定の雑音はほとんどないので、取り除くものがありませんでした。
embedded-not-stereo = 歌声を取り除けるのはステレオの録音だけで、この録音は左右が同じです。
embedded-sound-noise = 一定の雑音を下げました。突然の物音、ほかの声、反響は残ります。
embedded-sound-hum = 電源ハム音（50 Hz と 60 Hz、その倍音）を取り除きました。
embedded-sound-voice = ステレオの中央にあるものを取り除きました。歌声はたいていそこにあります。声の跡が残ることがあり、中央のドラムは弱くなります。
embedded-sound-loudness = 音量を −16 LUFS に合わせました。ウェブ上の音声で普通の値です。
embedded-sound-lower = 音の高さを半音四つ下げました。これはフィルターで、別人の声ではありません。
embedded-sound-higher = 音の高さを半音四つ上げました。これはフィルターで、別人の声ではありません。
expert-job-failed = { $model } は処理をあきらめました。
expert-result = { $model } が作ったものを取得できませんでした：{ $problem }
embedded-order-unclear = 「{ $words }」が分からないため、何も行いませんでした。{ $can }
embedded-order-empty = 何をすればよいか分かりませんでした。{ $can }
embedded-can-pages = PDF や画像については、結合、分割、ページの抽出と削除、回転、逆順、圧縮、ページの画像化、画像からの PDF 作成ができます。
embedded-can-tables = 表については、並べ替え、行の絞り込み、列の選択と削除、CSV・Excel（xlsx）・JSON での保存ができます。
embedded-can-charts = 表から棒グラフ、折れ線グラフ、円グラフ、散布図を描けます。列は書かれているとおりに挙げてください。
embedded-pages-done =
    { $op ->
        [merged] { $pages } ページの PDF にまとめました。
        [split] { $files } 個のファイルに分割しました。
        [drawn] ページの画像：{ $files } 枚。
        [pictures] 取り出した画像：{ $files } 枚。
        [rotated] ページを回転しました。
        [dropped] ページを削除しました。
        [reversed] ページを逆順にしました。
        [smaller] 圧縮しました。画像は粗くなります。
        [smaller-text] 圧縮しました。
        [cleaned] 作成者やソフトなどのメタデータを削除しました。
       *[pages] ページを取り出しました。
    }
embedded-pages-missing = { $page } ページはありません。全部で { $pages } ページです。
embedded-pages-range = ページ番号を読み取れません。
embedded-pages-of-which = 先に結合してからページを指定してください。どの文書のページか分かりません。
embedded-quarter-turns = PDF のページは 90・180・270 度だけ回転できます。
embedded-merge-one = 文書が一つしかありません。結合には二つ以上必要です。
embedded-no-pictures = 文書に画像がありません。
embedded-nothing-left-of-pages = ページが残りません。削除するページを指定してください。
embedded-no-smaller = この PDF はほとんど小さくできません。
embedded-too-many-files = { $files } 個のファイルになります。{ $limit } 個までです。ページを減らしてください。
embedded-no-rows-fit = 当てはまる行がありません。
embedded-table-written = { $rows } 行{ $where ->
        [none] {""}
       *[other] （{ $where }{ $not ->
            [yes] {" "}以外
           *[no] {""}
        }）
    }{ $sorted ->
        [none] {""}
       *[other] 、{ $sorted } の{ $order ->
            [descending] 降順
           *[ascending] 昇順
        }
    }、{ $ending } 形式。
embedded-charted = { $op ->
        [sum] { $over } ごとの { $values } の合計
        [mean] { $over } ごとの { $values } の平均
        [median] { $over } ごとの { $values } の中央値
        [count] { $over } ごとの行数
       *[other] { $over } に対する { $values }
    }（{ $rows } 行{ $where ->
        [none] {""}
       *[other] 、{ $where }
    }）。
embedded-no-font = フォントがないため、一部の文字を描けません。
embedded-chart-columns = どの列を描くか分かりません。数値の列とラベルの列を挙げてください。列：{ $columns }
embedded-chart-two-columns = 散布図には数値の列が二つ必要です。列：{ $columns }
embedded-chart-too-large = 一つのグラフには多すぎます。列は { $series }、ラベルは { $places } までです。
embedded-pie-slices = { $slices } 区分の円グラフは読めません。{ $limit } までです。
embedded-pie-negative = 円グラフには正の数が必要です。
embedded-first-frame = 画像には { $frames } 個のフレームまたはページがあり、最初のものだけを使いました。
