# What a run looks like while it is under way, and the buttons under it.
progress-thinking = 正在思考怎么做……
progress-working =
    { $all ->
        [1] 正在处理
       *[other] 正在处理：{ $all } 步中已完成 { $done } 步
    }
progress-ended = { $all } 步中已完成 { $done } 步
progress-queued = 排队中，{ $place }
progress-took = { $seconds } 秒
taken-earlier = 取自先前的结果
taken-task = 取自任务 { $task }，内容相同
taken-made = 取自先前的结果，当时用了 { $seconds } 秒
estimate-seconds = 约 { $seconds } 秒
estimate-minutes = 约 { $minutes } 分钟
estimate-cost = 各步骤费用约 { $dollars } 美元
estimate-cost-small = 各步骤费用不到 1 美分
estimate-both = { $time }，{ $cost }
button-stop = 停止
button-retry = 重试
button-another = 换个模型
button-details = 详情
button-up = 👍
button-down = 👎
run-ended = { $who } 完成了。
vote-up = 回答得好
vote-down = 回答得不好
button-choose = 换个模型重做其中一步
button-first = A 更好
button-second = B 更好
files-too-large = 以下文件太大，无法在这里显示：
file-left-out = { $file }已被略去。
