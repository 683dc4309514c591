# Experts: what went wrong with one.
expert-loading = { $model } 仍在加载。
expert-busy = { $model } 目前太忙。
expert-broken = { $model } 出了故障（状态 { $status }）。
expert-unreachable = 无法连接 { $model }。
expert-key-refused = { $model } 的访问密钥被拒绝。
expert-credit-used-up = 账户用于 { $model } 的额度已用完。
expert-access-refused = 此账户不能使用 { $model }；可能需要先接受其许可证。
expert-model-gone = { $model } 已不存在。
expert-input-refused = { $model } 无法处理这个输入。
expert-garbled = { $model } 的回答无法读取。
expert-answer-too-large = { $model } 发来的内容超过 { $megabytes } MB，没有接受。
expert-not-on-the-wire = 用于{ $kind }的模型不通过网络调用。
expert-input-type = { $model } 在{ $kind }时不接受这种文件。
expert-input-missing = { $kind }需要“{ $slot }”，但没有提供。
expert-one-sentence = 比较至少需要两段文本。
expert-table-unfit = 表格为空，或超过 { $cells } 个单元格。
local-language-unknown = 模型 { $model } 不懂语言 { $language }。

# Embedded experts: what they say about their own results, and why they could not do something.
embedded-nothing-said = 没有可处理的文本。
embedded-no-file = 没有可处理的文件。
embedded-file-type = 这里不能处理这种文件。
embedded-spoken = 由机器人声音朗读（{ $language }）。
embedded-spoken-cut = 只朗读了前 { $characters } 个字符。
embedded-spoke-nothing = 这段文本里没有可以读出来的内容。
embedded-no-voice = 没有“{ $language }”的内置语音。
embedded-voice-unable = { $language }语音读不了这些字：{ $characters }
embedded-picture-too-large = 图片像素太多，这里无法处理。
embedded-picture-unreadable = 无法打开图片。
embedded-no-text = 里面没有找到文字。
embedded-read-badly = 文字难以辨认，部分内容可能有误。
embedded-document-empty = 文档是空的。
embedded-document-cut = 只取了前 { $characters } 个字符。
embedded-document-broken = 文档已损坏，无法读取。
embedded-document-too-large = 文档太大，无法读取。
embedded-document-unknown = 这里不能读取这种文档；可以读取 PDF、Word（docx）、PowerPoint（pptx）、OpenDocument、EPUB、电子邮件、日历、电子表格、HTML、CSV 和纯文本。
embedded-pdf-locked = PDF 有密码保护。
embedded-pdf-broken = PDF 已损坏，无法读取。
embedded-pages-cut = 共 { $pages } 页，读取了前 { $read } 页。
embedded-pages-scanned = 有 { $pages } 页扫描页是按图片识别的，可能有误。
embedded-columns-mixed = 分栏的文字可能混在一起。
embedded-scans-left = 另有 { $pages } 页扫描页没有处理。
embedded-table-empty = 表格没有任何行。
embedded-no-answer = 文本中没有与问题相符的内容。
embedded-answer-line = 来自这一行：“{ $line }”
embedded-says = 文件中写道：“{ $line }”
embedded-says-part = 文件中写道：“{ $line }”。没有找到与“{ $words }”有关的内容。
embedded-closest = 我没有找到明确的答案。最接近的几行是：{ $lines }
embedded-part = { $question } → { $answer }
embedded-part-refused = { $question } → 未回答：{ $answer }
embedded-table-grouped = { $operation }，按 `{ $group }` 分组
embedded-table-operation =
    { $op ->
        [sum] `{ $column }` 的总和
        [mean] `{ $column }` 的平均值
        [median] `{ $column }` 的中位数
        [max] `{ $column }` 的最大值
        [min] `{ $column }` 的最小值
        [distinct] 不同 `{ $column }` 的个数
        [lookup] `{ $column }`
       *[count] 行数
    }{ $where ->
        [none] ，共 { $rows } 行
       *[other] ，共 { $rows } 行，条件：{ $where }
    }
embedded-table-unclear = 我无法根据这张表回答：我不明白“{ $words }”。列有：{ $columns }。
embedded-table-which-column = 我无法根据这张表回答。请说出一列的名称。列有：{ $columns }。
embedded-table-not-numbers = 无法用 `{ $column }` 计算：其中有些值不是数字，或者有数字可以有两种读法（1.234）。
embedded-table-several-rows = 有 { $rows } 行符合。请询问 `{ $column }` 的总和、平均值、最大值或最小值，或指定一行。
embedded-table-beyond = 我无法根据这张表回答。我可以计数、求和、求平均、分组、筛选，并找出最大值或最小值。列有：{ $columns }。
embedded-heard = 仅限英语；个别词可能有误。
embedded-heard-partial = 时间不够，这里只有前 { $minutes } 分钟。
embedded-gist = 最有代表性的原句。
embedded-summary = 由最有代表性的原句组成，没有改写。
embedded-summary-whole = 太短，无法摘要，因此全文照录
embedded-alike = 比较的是用词，而不是含义
embedded-sound-unreadable = 无法读取录音。
embedded-nothing-heard = 没有听清任何话语。
embedded-faces = { $count ->
    [0] 没有找到人脸；这里只查找人脸。
   *[other] 找到 { $count } 张人脸；这里只查找人脸。
 }
embedded-faces-only = 我在这里只能找人脸，找不到{ $wanted }。管理员可以添加能找其他东西的模型。
embedded-no-filter = 没有合适的滤镜。可用的有：{ $filters }。其他修改需要管理员添加模型。
embedded-whole-picture = 我只能更改整张图片，不能只改其中一部分。管理员可以为此添加模型。
embedded-filtered = 整张图片的滤镜：{ $filters }。
embedded-filter =
    { $name ->
        [colour-pencil-sketch] 彩铅素描
        [pencil-sketch] 铅笔素描
        [cartoon] 卡通
        [painting] 油画
        [black-and-white] 黑白
        [sepia] 复古棕褐色
        [denoise] 降噪
       *[blur] 模糊
        [sharpen] 锐化
        [negative] 负片
        [upscale] 放大一倍
        [smooth] 平滑
        [brighter] 更亮
        [darker] 更暗
        [more-contrast] 更高对比度
    }
embedded-large-already = 这里只放大边长不超过 { $side } 像素的图片。
embedded-english-only = 我只能判断英语文本的情绪。
embedded-mood = 仅看英语词语的情绪，识别不了反讽
embedded-not-classes = 列 { $column } 中没有可学习的类别（至少两类，每类出现多次）。
embedded-no-column = 没有列 { $column }；有：{ $columns }。
embedded-few-rows = 只有 { $rows } 行有已知值；学习至少需要 { $needed } 行。
embedded-no-features = 没有其他列可供学习。
embedded-classified = 在 { $rows } 行未见过的数据中，正确率为 { $percent }%；总猜最常见的类别，正确率为 { $usual }%。
embedded-regressed = 在 { $rows } 行未见过的数据上平均偏差 { $off }；R² { $explained }。
embedded-held-out = 预测的列：{ $column }。已知值的行是在没有看到该值的情况下预测的。填补空缺：{ $filled }。
embedded-column-guessed = 没有指定列，因此取了最后一列（{ $column }）。
embedded-can-files = 这里可以：调整大小、裁剪、旋转、翻转、按时间截取、改变速度、取出静止画面或声音、压缩，或转换成其他类型。
embedded-converted =
    { $op ->
        [resize] 已缩放到 { $one } 像素以内。
        [scale] 已缩放到 { $percent }%。
        [crop] 已裁剪为 { $one } 像素。
        [aspect] 已裁剪为 { $one } 的比例。
        [rotate] 已顺时针旋转 { $one }°。
        [flip] 已镜像。
        [keep] 已保留第 { $one } 秒到第 { $two } 秒。
        [keep_end] 已保留最后 { $one } 秒。
        [drop] 已去掉前 { $one } 秒。
        [speed] 速度已设为 { $percent }%。
        [type] 已转换为 { $ending }。
        [poster] 已截取一帧。
        [sound] 已提取声音。
        [strip] 已去除地点、相机等元数据。
        [frames] 每 { $one } 秒取一帧。
        [mute] 已去掉声音。
        [louder] 已调高音量。
        [quieter] 已调低音量。
       *[smaller] 已压缩。
    }
embedded-not-for-pictures = 只有录音和视频可以这样处理，图片不行。
embedded-nothing-left = 截取后什么也没剩下；文件可能没有那么长。
embedded-no-sound = 这个视频没有声音。
embedded-too-long = 文件太长，这里无法处理。
embedded-film-unreadable = 文件已损坏，或是无法处理的类型。
embedded-no-cleaning = 我在这里无法对声音做这种处理。我可以减弱稳定的噪声或嗡声、从立体声音乐中去除人声、统一响度、降低或升高音调。管理员可以添加能做得更多的模型。
embedded-no-noise = 其中几乎没有稳定的噪声，所以没有可去除的。
embedded-not-stereo = 这里只能从立体声录音中去除人声，而这段录音左右两边相同。
embedded-sound-noise = 稳定的噪声已降低。突发的噪声、其他人声和回声仍在。
embedded-sound-hum = 已滤除电源嗡声（50 和 60 Hz 及其谐波）。
embedded-sound-voice = 已去除立体声中央的内容，人声多半在那里；可能留有人声的痕迹，中央的鼓声会变弱。
embedded-sound-loudness = 响度已调到 −16 LUFS，这是网络语音的常用值。
embedded-sound-lower = 音调降低了四个半音；这是滤镜，不是另一个人的声音。
embedded-sound-higher = 音调升高了四个半音；这是滤镜，不是另一个人的声音。
expert-job-failed = { $model } 放弃了。
expert-result = { $model } 生成的内容无法取回：{ $problem }
embedded-order-unclear = 我不明白“{ $words }”，所以什么都没做。{ $can }
embedded-order-empty = 我没明白要做什么。{ $can }
embedded-can-pages = 对 PDF 或图片，我可以：合并、拆分、提取或删除页面、旋转、倒序、压缩、把页面做成图片，或把图片做成一个 PDF。
embedded-can-tables = 对表格，我可以：排序、筛选行、保留或删除列，并保存为 CSV、Excel（xlsx）或 JSON。
embedded-can-charts = 我可以根据表格画柱状图、折线图、饼图或散点图；请按表中的写法说出列名。
embedded-pages-done =
    { $op ->
        [merged] 已合并为一个 { $pages } 页的 PDF。
        [split] 已拆分为 { $files } 个文件。
        [drawn] 页面图片：{ $files } 张。
        [pictures] 取出的图片：{ $files } 张。
        [rotated] 已旋转页面。
        [dropped] 已删除页面。
        [reversed] 页面已倒序。
        [smaller] 已压缩，其中的图片会不那么清晰。
        [smaller-text] 已压缩。
        [cleaned] 已去除作者、软件等元数据。
       *[pages] 已取出页面。
    }
embedded-pages-missing = 没有第 { $page } 页：文档共 { $pages } 页。
embedded-pages-range = 无法读懂这些页码。
embedded-pages-of-which = 请先合并，再说明页码：我不知道指的是哪个文档。
embedded-quarter-turns = PDF 的页面只能旋转 90、180 或 270 度。
embedded-merge-one = 只有一个文档。合并至少需要两个。
embedded-no-pictures = 文档里没有图片。
embedded-nothing-left-of-pages = 不会剩下任何页面。请说明要删除哪些页。
embedded-no-smaller = 这个 PDF 无法明显变小。
embedded-too-many-files = 这会产生 { $files } 个文件，最多 { $limit } 个。请少选几页。
embedded-no-rows-fit = 没有符合的行。
embedded-table-written = { $rows } 行{ $where ->
        [none] {""}
       *[other] （{ $not ->
            [yes] 不含{" "}
           *[no] {""}
        }{ $where }）
    }{ $sorted ->
        [none] {""}
       *[other] ，按 { $sorted } { $order ->
            [descending] 降序
           *[ascending] 升序
        }
    }，{ $ending } 格式。
embedded-charted = { $op ->
        [sum] 每个 { $over } 的 { $values } 总和
        [mean] 每个 { $over } 的 { $values } 平均值
        [median] 每个 { $over } 的 { $values } 中位数
        [count] 每个 { $over } 的行数
       *[other] { $values }（按 { $over }）
    }，共 { $rows } 行{ $where ->
        [none] 。
       *[other] （{ $where }）。
    }
embedded-no-font = 没有安装相应的字体，有些字符画不出来。
embedded-chart-columns = 我不知道要画哪些列。请说出一个数字列和一个标签列。列有：{ $columns }。
embedded-chart-two-columns = 散点图需要两个数字列。列有：{ $columns }。
embedded-chart-too-large = 一张图放不下这么多：最多 { $series } 列、{ $places } 个标签。
embedded-pie-slices = { $slices } 块的饼图看不清；最多 { $limit } 块。
embedded-pie-negative = 饼图需要正数。
embedded-first-frame = 这张图有 { $frames } 帧或页，只用了第一帧。
