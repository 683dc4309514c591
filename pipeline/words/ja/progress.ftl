# What a run looks like while it is under way, and the buttons under it.
progress-thinking = 進め方を考えています…
progress-working =
    { $all ->
        [1] 作業中です
       *[other] 作業中です：{ $all } 手順のうち { $done } 手順が完了
    }
progress-ended = { $all } 手順のうち { $done } 手順が完了
progress-queued = 順番待ち { $place }
progress-took = { $seconds } 秒
taken-earlier = 以前の結果を利用
taken-task = 同じ内容のタスク { $task } の結果を利用
taken-made = 以前の結果を利用（当時 { $seconds } 秒）
estimate-seconds = 約 { $seconds } 秒
estimate-minutes = 約 { $minutes } 分
estimate-cost = 手順の費用は約 { $dollars } ドル
estimate-cost-small = 手順の費用は 1 セント未満
estimate-both = { $time }、{ $cost }
button-stop = 停止
button-retry = やり直す
button-another = 別のモデル
button-details = 詳細
button-up = 👍
button-down = 👎
run-ended = { $who } 終わりました。
vote-up = 良い回答
vote-down = 良くない回答
button-choose = 1 つのステップだけ別のモデルで
button-first = A のほうが良い
button-second = B のほうが良い
files-too-large = 次のファイルは大きすぎるため、ここに表示できません：
file-left-out = { $file }は省かれました。
