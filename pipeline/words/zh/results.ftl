# 展示结果的文件的内容。
alt-chart = 模型置信度图表：{ $labels }
alt-table = 表格（{ $what }）前几行的图片
alt-poster = 视频（{ $what }）的首帧画面
alt-depth = 物体的远近：近处亮，远处暗
output-cut = 模型的回答过长，这里只保留了前 { $count } 项。
sheet-read = { $file } 共有 { $count } 个工作表，只读取了第一个“{ $sheet }”。
