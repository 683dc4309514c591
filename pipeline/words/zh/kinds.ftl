# Kinds of tasks as people speak of them, in the middle of a sentence. A sentence's argument that is the name of a kind is said like this.
kind-text-classification = 判断文本的情感或类别
kind-token-classification = 找出文本中的人名和地名
kind-text2text-generation = 改写文本
kind-summarization = 总结文本
kind-translation = 翻译文本
kind-question-answering = 回答关于文本的问题
kind-conversational = 聊天
kind-text-generation = 撰写文本
kind-fill-mask = 填补文本中的空缺
kind-feature-extraction = 计算文本的嵌入向量
kind-sentence-similarity = 比较文本
kind-zero-shot-classification = 按给定标签归类文本
kind-tabular-classification = 预测表格中的类别
kind-tabular-regression = 预测表格中的数值
kind-table-question-answering = 回答关于表格的问题
kind-image-to-text = 描述图片
kind-text-to-image = 根据文字生成图片
kind-visual-question-answering = 回答关于图片的问题
kind-image-classification = 给图片分类
kind-zero-shot-image-classification = 按给定标签归类图片
kind-object-detection = 找出图片中的物体
kind-zero-shot-object-detection = 找出图片中的指定物体
kind-image-segmentation = 把图片分成有名称的区域
kind-mask-generation = 把图片分成区域
kind-depth-estimation = 估计图片的深度
kind-image-to-image = 改变图片的风格
kind-image-text-to-image = 修改图片中的内容
kind-optical-character-recognition = 识别图片中的文字
kind-document-question-answering = 回答关于文档的问题
kind-document-to-text = 提取文档中的文字
kind-automatic-speech-recognition = 把语音转成文字
kind-text-to-speech = 朗读
kind-audio-classification = 给声音分类
kind-audio-to-audio = 净化或分离声音
kind-text-to-video = 根据文字生成视频
kind-image-to-video = 让图片动起来
kind-video-classification = 给视频分类
kind-media-conversion = 剪切或转换文件
kind-document-conversion = 拆分、合并或旋转页面
kind-table-conversion = 排序、筛选或转换表格
kind-table-to-chart = 根据表格画图表
kind-canny-control = 画出图片的边缘
kind-hed-control = 画出图片的柔和边缘
kind-mlsd-control = 画出图片的直线
kind-normal-control = 估计图片的表面
kind-openpose-control = 找出图片中的姿势
kind-scribble-control = 把图片变成涂鸦
kind-depth-control = 估计图片的景深
kind-seg-control = 把图片分割成块
kind-canny-text-to-image = 按给定边缘生成图片
kind-hed-text-to-image = 按柔和边缘生成图片
kind-mlsd-text-to-image = 按直线生成图片
kind-normal-text-to-image = 按给定表面生成图片
kind-openpose-text-to-image = 按给定姿势生成图片
kind-scribble-text-to-image = 根据涂鸦生成图片
kind-depth-text-to-image = 按给定深度生成图片
kind-seg-text-to-image = 根据分割块生成图片
medium = { $type ->
    [image] 图片
    [audio] 声音
    [video] 视频
    [document] 文档
    [table] 表格
   *[other] 文本
}
