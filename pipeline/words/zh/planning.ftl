# Reading a plan: what was changed in it and what was left out, told to the person and to the one who wrote it.
plan-invalid-step = 第 { $step } 步无法读取，已略过（{ $problem }）。
plan-unknown-task = 没有名为“{ $name }”的任务种类，因此略去了这一步。
plan-not-here = 这里无法{ $kind }。
plan-needs-dropped = 略去了“{ $kind }”，因为它所依赖的步骤被略去了。
plan-missing = 略去了“{ $kind }”：没有说明它的 { $slot } 是什么。
plan-too-long = 略去了 { $count } 个步骤：一个计划最多 { $most } 项任务。
plan-too-many = { $kind }：{ $count } 个文件中只取了前 { $most } 个。
plan-cut-short = 计划中断了；只取了完整的步骤。
plan-filled-file = “{ $kind }”没有指定 { $slot }；使用 { $file }。
plan-filled-output = “{ $kind }”没有指定 { $slot }；使用“{ $source }”的结果。
plan-filled-request = “{ $kind }”没有指定 { $slot }；使用消息中的文字。
plan-reference-dropped = “{ $kind }”引用了不存在或依赖于它的步骤（{ $label }）；已略去。
plan-reference-unfit = “{ $kind }”不能把“{ $source }”的结果用作 { $slot }；已略去。
plan-inserted = 在“{ $kind }”之前加入了“{ $inserted }”。
plan-unfolded = “{ $kind }”做了 { $count } 次，每个文件一次。
plan-order-dropped = “{ $kind }”本应等待一个不存在或反过来等待它的步骤；现在不等待。
plan-unknown-file = { $kind }：没有名为“{ $file }”的文件。
plan-url = { $kind }：不接受文件的地址；请直接发送文件。
plan-extra = “{ $kind }”用不上“{ $extra }”；已略去。
plan-parameter-unread = { $kind }：“{ $value }”不能用作{ $parameter }，已省略。
plan-parameter-bounded = { $kind }：{ $parameter }改为 { $value }，即允许范围内最接近的值。
parameter =
    { $name ->
        [size] 尺寸
        [aspect_ratio] 宽高比
        [count] 图片数量
        [seed] 随机种子
        [negative_prompt] 负面提示词
        [guidance_scale] 引导强度
        [duration] 时长（秒）
        [voice] 声音
       *[image] 其余图片
    }
plan-empty = 其中既没有任务，也没有回答。
plan-unusable = 无法制定计划：{ $errors }
plan-corrected = 计划已更正，不再包含：{ $kind }。
plan-request-cut = 消息对语言模型来说太长；读取时略去了中间部分。
plan-remark = { $text }
plan-not-continued = 无法继续规划：{ $reason }
plan-room-too-small = { $model } 的上下文只有 { $room } 个 token，规划至少需要 { $least } 个。
left-thread = 好的，在这个话题中，只有提及我时我才回答。管理员提及我并写上 `settings mention always`，就能让整个频道都这样。
