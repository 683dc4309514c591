# Reading a plan: what was changed in it and what was left out, told to the person and to the one who wrote it.
plan-invalid-step = 手順 { $step } は読み取れないため省きました（{ $problem }）。
plan-unknown-task = 「{ $name }」という種類のタスクはないため、その手順は省きました。
plan-not-here = { $kind }は、ここではできません。
plan-needs-dropped = { $kind }は省きました。必要な手順が省かれたためです。
plan-missing = { $kind }は省きました。{ $slot } が何かわからないためです。
plan-too-long = { $count } 個の手順を省きました。計画のタスクは { $most } 個までです。
plan-too-many = { $kind }：{ $count } 個のファイルのうち、最初の { $most } 個だけを使いました。
plan-cut-short = 計画が途中で切れたため、完全な手順だけを使いました。
plan-filled-file = { $kind }に { $slot } の指定がないため、{ $file } を使います。
plan-filled-output = { $kind }に { $slot } の指定がないため、{ $source }の結果を使います。
plan-filled-request = { $kind }に { $slot } の指定がないため、メッセージの言葉を使います。
plan-reference-dropped = { $kind }が参照した手順（{ $label }）は、存在しないか、それに依存しているため、省きました。
plan-reference-unfit = { $kind }では{ $source }の結果を { $slot } として使えないため、省きました。
plan-inserted = { $kind }の前に{ $inserted }を加えました。
plan-unfolded = { $kind }を、ファイルごとに 1 回、計 { $count } 回行いました。
plan-order-dropped = { $kind }が待つはずの手順は、存在しないか、互いに待ち合うものなので、待ちません。
plan-unknown-file = { $kind }：「{ $file }」というファイルはありません。
plan-url = { $kind }：ファイルのアドレスは使えません。ファイルそのものを送ってください。
plan-extra = { $kind }では「{ $extra }」を使わないため、省きました。
plan-parameter-unread = { $kind }：「{ $value }」は{ $parameter }として使えないため、省きました。
plan-parameter-bounded = { $kind }：{ $parameter }は、使える範囲で最も近い { $value } にしました。
parameter =
    { $name ->
        [size] サイズ
        [aspect_ratio] 縦横比
        [count] 枚数
        [seed] シード
        [negative_prompt] ネガティブプロンプト
        [guidance_scale] ガイダンス
        [duration] 長さ（秒）
        [voice] 声
       *[image] 2 枚目以降の画像
    }
plan-empty = タスクも返答も含まれていません。
plan-unusable = 計画を立てられませんでした：{ $errors }
plan-corrected = 計画が訂正され、次の手順はなくなりました：{ $kind }。
plan-request-cut = メッセージが言語モデルには長すぎるため、中ほどを省いて読みました。
plan-remark = { $text }
plan-not-continued = 続きを計画できませんでした: { $reason }
plan-room-too-small = { $model } のコンテキストは { $room } トークンしかありません。計画には { $least } 必要です。
left-thread = わかりました。このスレッドではメンションされたときだけ答えます。管理者は、私へのメンションに `settings mention always` と書けば、このチャンネル全体でそうできます。
