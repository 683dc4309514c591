BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0007');
CREATE TABLE attempts (
	run VARCHAR NOT NULL, 
	task INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	channel VARCHAR NOT NULL, 
	model VARCHAR NOT NULL, 
	place VARCHAR NOT NULL, 
	failed BOOLEAN NOT NULL, 
	took DOUBLE NOT NULL, 
	cost DOUBLE, kind VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (run, task, number), 
	FOREIGN KEY(run) REFERENCES runs (id)
);
INSERT INTO "attempts" VALUES('run-1',-1,0,'slack:T1:C1','org/llm','',0,1.25,NULL,'answering');
INSERT INTO "attempts" VALUES('run-1',1,0,'slack:T1:C1','org/bad','hosted',1,0.5,0.01,'image-to-text');
INSERT INTO "attempts" VALUES('run-1',1,1,'slack:T1:C1','org/captioner','hosted',0,1.0,NULL,'image-to-text');
INSERT INTO "attempts" VALUES('run-1',2,0,'slack:T1:C1','troupe/line-finder','embedded',0,2.5,NULL,'text-to-speech');
INSERT INTO "attempts" VALUES('run-1',3,0,'slack:T1:C1','org/captioner','local',0,0.5,NULL,'object-detection');
INSERT INTO "attempts" VALUES('run-1',4,0,'slack:T1:C1','org/captioner','local',0,0.5,NULL,'image-segmentation');
INSERT INTO "attempts" VALUES('run-1',6,0,'slack:T1:C1','org/captioner','llm',0,0.5,NULL,'token-classification');
INSERT INTO "attempts" VALUES('run-1',7,0,'slack:T1:C1','org/captioner','local',0,0.5,NULL,'feature-extraction');
INSERT INTO "attempts" VALUES('run-1',8,0,'slack:T1:C1','org/bad','hosted',1,0.5,0.01,'translation');
INSERT INTO "attempts" VALUES('run-4',1,0,'discord:G1:D1','troupe/line-finder','embedded',0,0.1,NULL,'table-question-answering');
CREATE TABLE catalogue (
	"key" VARCHAR NOT NULL, 
	body TEXT NOT NULL, 
	fetched_at DOUBLE NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "catalogue" VALUES('hub:image-to-text','[{"id":"org/captioner"}]',1790845860.0);
CREATE TABLE channel_settings (
	channel VARCHAR NOT NULL, 
	workspace VARCHAR NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (channel)
);
INSERT INTO "channel_settings" VALUES('slack:T1:C1','slack:T1','{"models":{"image-to-text":"org/captioner"},"places":["hosted"],"mention":"threads","language":"de","policy":{"deny":"org/x"},"learn":"channel"}');
CREATE TABLE deliveries (
	"key" VARCHAR NOT NULL, 
	receipt TEXT, 
	begun_at DOUBLE NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "deliveries" VALUES('run-1:plan','1700000009.000200',1790845260.0);
INSERT INTO "deliveries" VALUES('run-2:plan','1700000009.000200',1790845380.0);
INSERT INTO "deliveries" VALUES('run-3:plan','1700000009.000200',1790845500.0);
INSERT INTO "deliveries" VALUES('run-4:plan','1700000009.000200',1790845620.0);
INSERT INTO "deliveries" VALUES('run-5:plan','1700000009.000200',1790845740.0);
INSERT INTO "deliveries" VALUES('run-30:plan',NULL,1790845860.0);
CREATE TABLE events (
	run VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY (run, number)
);
INSERT INTO "events" VALUES('run-1',0,'{"plan":{"tasks":[{"id":1,"kind":"image-to-text","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":2,"kind":"text-to-speech","args":{"text":[{"task":1,"slot":"text","is":"Ref"}]}},{"id":3,"kind":"object-detection","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":4,"kind":"image-segmentation","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":5,"kind":"image-classification","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":6,"kind":"token-classification","args":{"text":[{"text":"Ann lives in Bonn","is":"Text"}]}},{"id":7,"kind":"feature-extraction","args":{"text":[{"text":"x","is":"Text"}]}},{"id":8,"kind":"translation","args":{"text":[{"task":1,"slot":"text","is":"Ref"}],"target":[{"text":"de","is":"Text"}]},"after":[2]},{"id":9,"kind":"summarization","args":{"text":[{"task":8,"slot":"text","is":"Ref"}]}}]},"repairs":[{"what":{"id":"repair-slot","args":{"task":2}}}],"is":"Planned"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',1,'{"task":1,"choice":{"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"reason":{"id":"why-first"},"runners_up":[{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]}]},"is":"Chose"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',2,'{"task":2,"choice":{"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"reason":{"id":"why-first"},"runners_up":[{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]}]},"is":"Chose"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',3,'{"task":3,"choice":{"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"reason":{"id":"why-first"},"runners_up":[{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]}]},"is":"Chose"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',4,'{"task":4,"choice":{"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"reason":{"id":"why-first"},"runners_up":[{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]}]},"is":"Chose"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',5,'{"task":5,"choice":{"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"reason":{"id":"why-first"},"runners_up":[{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]}]},"is":"Chose"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',6,'{"task":6,"choice":{"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"reason":{"id":"why-first"},"runners_up":[{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]}]},"is":"Chose"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',7,'{"task":7,"choice":{"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"reason":{"id":"why-first"},"runners_up":[{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]}]},"is":"Chose"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',8,'{"task":8,"choice":{"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"reason":{"id":"why-first"},"runners_up":[{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]}]},"is":"Chose"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',9,'{"task":9,"choice":{"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"reason":{"id":"why-first"},"runners_up":[{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]}]},"is":"Chose"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',10,'{"task":1,"outcome":{"output":{"slots":{"text":{"text":"a cat on a sofa","score":0.9,"is":"Text"}}},"took":1.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"hosted","tried":[{"model":"org/bad","place":"hosted","took":0.5,"error":{"id":"expert-unavailable","args":{"model":"org/bad"}},"cost":0.01,"provider":"p"}],"key":"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk","is":"Done"},"is":"Finished"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',11,'{"task":2,"outcome":{"output":{"slots":{"audio":{"attachment":{"hash":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","media_type":"audio/flac","name":"speech.flac","size":1234},"is":"Media"}},"note":"robotic voice"},"took":2.5,"model":{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]},"place":"embedded","extras":[{"hash":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","media_type":"image/png","name":"dog.png","size":1234,"description":"photo"}],"key":"llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll","is":"Done"},"is":"Finished"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',12,'{"task":3,"outcome":{"output":{"slots":{"boxes":{"items":[{"label":"cat","score":0.98,"xmin":1,"ymin":2,"xmax":30,"ymax":40}],"is":"Boxes"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","is":"Done"},"is":"Finished"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',13,'{"task":4,"outcome":{"output":{"slots":{"masks":{"items":[{"label":"cat","score":0.7,"image":{"attachment":{"hash":"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","media_type":"image/png","name":"mask.png","size":1234}}}],"is":"Masks"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","is":"Done"},"is":"Finished"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',14,'{"task":5,"outcome":{"output":{"slots":{"labels":{"items":[{"label":"tabby","score":0.6},{"label":"tiger","score":0.2}],"is":"Labels"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","source":{"run":"run-0","task":1},"is":"Done"},"is":"Finished"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',15,'{"task":6,"outcome":{"output":{"slots":{"spans":{"items":[{"text":"Ann","label":"PER","score":0.99,"start":0,"end":3}],"is":"Spans"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"llm","is":"Done"},"is":"Finished"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',16,'{"task":7,"outcome":{"output":{"slots":{"vector":{"values":[0.5,0.25],"is":"Vector"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","is":"Done"},"is":"Finished"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',17,'{"task":8,"outcome":{"reason":{"id":"gone"},"tried":[{"model":"org/bad","place":"hosted","took":0.5,"error":{"id":"expert-unavailable","args":{"model":"org/bad"}},"cost":0.01,"provider":"p"}],"is":"Failed"},"is":"Finished"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',18,'{"task":9,"outcome":{"because_of":8,"is":"Skipped"},"is":"Finished"}',1790845320.0);
INSERT INTO "events" VALUES('run-1',19,'{"answer":{"run":"run-1","text":"A cat on a sofa.","files":[{"attachment":{"hash":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","media_type":"audio/flac","name":"speech.flac","size":1234},"alt":"the words as sound","model":"troupe/line-finder","kind":"text-to-speech","task":2}],"notices":[{"id":"notice-fallback","args":{"model":"org/bad"}}],"written":{"by":"org/llm","took":1.25}},"is":"Answered"}',1790845320.0);
INSERT INTO "events" VALUES('run-2',0,'{"plan":{"tasks":[{"id":1,"kind":"text-to-image","args":{"text":[{"text":"a dog","is":"Text"}]}}]},"is":"Planned"}',1790845440.0);
INSERT INTO "events" VALUES('run-2',1,'{"task":1,"choice":{"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"reason":{"id":"why-first"},"runners_up":[{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]}]},"is":"Chose"}',1790845440.0);
INSERT INTO "events" VALUES('run-2',2,'{"task":1,"outcome":{"is":"Stopped"},"is":"Finished"}',1790845440.0);
INSERT INTO "events" VALUES('run-2',3,'{"reason":{"id":"sorry-broke"},"reference":"run-2","is":"Apologised"}',1790845440.0);
INSERT INTO "events" VALUES('run-3',0,'{"plan":{},"is":"Planned"}',1790845560.0);
INSERT INTO "events" VALUES('run-3',1,'{"reason":{"id":"sorry-broke"},"reference":"run-3","is":"Apologised"}',1790845560.0);
INSERT INTO "events" VALUES('run-4',0,'{"plan":{"tasks":[{"id":1,"kind":"table-question-answering","args":{"table":[{"attachment":{"hash":"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","media_type":"text/csv","name":"sales.csv","size":1234},"is":"Media"}],"question":[{"text":"average?","is":"Text"}]}}]},"is":"Planned"}',1790845680.0);
INSERT INTO "events" VALUES('run-4',1,'{"task":1,"choice":{"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"reason":{"id":"why-first"},"runners_up":[{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]}]},"is":"Chose"}',1790845680.0);
INSERT INTO "events" VALUES('run-4',2,'{"task":1,"outcome":{"output":{"slots":{"text":{"text":"12","is":"Text"}}},"took":0.1,"model":{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]},"place":"embedded","key":"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm","is":"Done"},"is":"Finished"}',1790845680.0);
INSERT INTO "events" VALUES('run-4',3,'{"answer":{"run":"run-4","text":"12"},"is":"Answered"}',1790845680.0);
INSERT INTO "events" VALUES('run-5',0,'{"plan":{},"is":"Planned"}',1790845800.0);
INSERT INTO "events" VALUES('run-5',1,'{"answer":{"run":"run-5","text":"Hello!"},"is":"Answered"}',1790845800.0);
CREATE TABLE feedback (
	run VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	value INTEGER NOT NULL, 
	at DOUBLE NOT NULL, channel VARCHAR DEFAULT '' NOT NULL, workspace VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (run, person), 
	FOREIGN KEY(run) REFERENCES runs (id)
);
INSERT INTO "feedback" VALUES('run-1','U-ben',1,1790845800.0,'slack:T1:C1','slack:T1');
INSERT INTO "feedback" VALUES('run-4','U-ann',-1,1790845800.0,'discord:G1:D1','discord:G1');
CREATE TABLE file_uses (
	owner VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	PRIMARY KEY (owner, hash)
);
INSERT INTO "file_uses" VALUES('slack:T1:C1:1700000001.000100','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
INSERT INTO "file_uses" VALUES('run run-1','cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc');
INSERT INTO "file_uses" VALUES('run run-1','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb');
INSERT INTO "file_uses" VALUES('run run-1','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd');
INSERT INTO "file_uses" VALUES('run run-1','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
INSERT INTO "file_uses" VALUES('run-1','cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc');
INSERT INTO "file_uses" VALUES('discord:G1:D1:1700000004.000100','eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee');
INSERT INTO "file_uses" VALUES('run run-4','eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee');
INSERT INTO "file_uses" VALUES('slack:T1:C1:1700000020.000100','ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff');
INSERT INTO "file_uses" VALUES('run run-31','9999999999999999999999999999999999999999999999999999999999999999');
INSERT INTO "file_uses" VALUES('run run-30','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
CREATE TABLE inbox (
	number INTEGER NOT NULL, 
	run VARCHAR NOT NULL, 
	"key" VARCHAR NOT NULL, 
	thread VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	workspace VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	body TEXT NOT NULL, 
	accepted_at DOUBLE NOT NULL, 
	attempts INTEGER DEFAULT '0' NOT NULL, 
	cancelled BOOLEAN DEFAULT false NOT NULL, 
	finished BOOLEAN DEFAULT false NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (run)
);
INSERT INTO "inbox" VALUES(1,'run-1','slack:T1:C1:1700000001.000100','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','U-ann','{"id":"1700000001.000100","thread":{"channel":{"platform":"slack","workspace":"T1","id":"C1"},"root":"1700000001.000100"},"person":{"id":"U-ann","name":"Ann","locale":"de","roles":["admin"]},"text":"what is in the picture? say it aloud","files":[],"at":"2026-10-01T09:01:00+00:00","heard":{"mentioned":true,"audience":"workspace"}}',1790845260.0,0,0,1);
INSERT INTO "inbox" VALUES(2,'run-2','slack:T1:C1:1700000002.000100','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','U-ben','{"id":"1700000002.000100","thread":{"channel":{"platform":"slack","workspace":"T1","id":"C1"},"root":"1700000001.000100"},"person":{"id":"U-ben","name":"Ben"},"text":"draw a dog","files":[],"at":"2026-10-01T09:03:00+00:00","heard":{"mentioned":true,"audience":"workspace"}}',1790845380.0,0,0,1);
INSERT INTO "inbox" VALUES(3,'run-3','slack:T1:C1:1700000003.000100','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','U-ann','{"id":"1700000003.000100","thread":{"channel":{"platform":"slack","workspace":"T1","id":"C1"},"root":"1700000001.000100"},"person":{"id":"U-ann","name":"Ann","locale":"de","roles":["admin"]},"text":"again please","files":[],"at":"2026-10-01T09:05:00+00:00","heard":{"mentioned":true,"audience":"workspace"}}',1790845500.0,0,0,1);
INSERT INTO "inbox" VALUES(4,'run-4','discord:G1:D1:1700000004.000100','discord:G1:D1:900000000000000001','discord:G1:D1','discord:G1','U-ann','{"id":"1700000004.000100","thread":{"channel":{"platform":"discord","workspace":"G1","id":"D1"},"root":"900000000000000001"},"person":{"id":"U-ann","name":"Ann","locale":"de","roles":["admin"]},"text":"average?","files":[],"at":"2026-10-01T09:07:00+00:00","heard":{"mentioned":true,"audience":"workspace"}}',1790845620.0,0,0,1);
INSERT INTO "inbox" VALUES(5,'run-5','web:a1b2c3d4e5f6a7b8c9d0:conversationname1:1700000005.000100','web:a1b2c3d4e5f6a7b8c9d0:conversationname1:conversationname1','web:a1b2c3d4e5f6a7b8c9d0:conversationname1','web:a1b2c3d4e5f6a7b8c9d0','a1b2c3d4e5f6a7b8c9d0','{"id":"1700000005.000100","thread":{"channel":{"platform":"web","workspace":"a1b2c3d4e5f6a7b8c9d0","id":"conversationname1"},"root":"conversationname1"},"person":{"id":"a1b2c3d4e5f6a7b8c9d0","name":"you"},"text":"hello","files":[],"at":"2026-10-01T09:09:00+00:00","heard":{"mentioned":true,"audience":"workspace"}}',1790845740.0,0,0,1);
INSERT INTO "inbox" VALUES(6,'run-30','slack:T1:C1:1700000030.000100','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','U-ann','{"id":"1700000030.000100","thread":{"channel":{"platform":"slack","workspace":"T1","id":"C1"},"root":"1700000001.000100"},"person":{"id":"U-ann","name":"Ann","locale":"de","roles":["admin"]},"text":"and this one?","files":[{"url":"https://files.example/1","name":"one.png","media_type":"image/png","size":10,"id":"F1"}],"at":"2026-10-01T09:11:00+00:00","heard":{"mentioned":true,"audience":"workspace"},"earlier":[{"url":"https://files.example/0","name":"zero.png"}],"avoid":["org/bad"],"anew":true}',1790845860.0,1,0,0);
INSERT INTO "inbox" VALUES(7,'run-31','web:a1b2c3d4e5f6a7b8c9d0:conversationname1:00000000000000000031-ab','web:a1b2c3d4e5f6a7b8c9d0:conversationname1:conversationname1','web:a1b2c3d4e5f6a7b8c9d0:conversationname1','web:a1b2c3d4e5f6a7b8c9d0','a1b2c3d4e5f6a7b8c9d0','{"id":"00000000000000000031-ab","thread":{"channel":{"platform":"web","workspace":"a1b2c3d4e5f6a7b8c9d0","id":"conversationname1"},"root":"conversationname1"},"person":{"id":"a1b2c3d4e5f6a7b8c9d0","name":"you"},"text":"see file","files":[{"url":"file:9999999999999999999999999999999999999999999999999999999999999999","name":"up.png","size":12}],"at":"2026-10-01T09:11:00+00:00","heard":{"mentioned":true,"audience":"workspace"}}',1790845860.0,1,0,0);
INSERT INTO "inbox" VALUES(8,'run-32','discord:G1:D1:900000000000000032','discord:G1:D1:900000000000000001','discord:G1:D1','discord:G1','U-ben','{"id":"900000000000000032","thread":{"channel":{"platform":"discord","workspace":"G1","id":"D1"},"root":"900000000000000001"},"person":{"id":"U-ben","name":"Ben"},"text":"stop it","files":[],"at":"2026-10-01T09:11:00+00:00","heard":{"mentioned":true,"audience":"workspace"}}',1790845860.0,1,1,0);
CREATE TABLE journal (
	run VARCHAR NOT NULL, 
	step VARCHAR NOT NULL, 
	value TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY (run, step)
);
INSERT INTO "journal" VALUES('run-1','task:1','{"output":{"slots":{"text":{"text":"a cat on a sofa","score":0.9,"is":"Text"}}},"took":1.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"hosted","tried":[{"model":"org/bad","place":"hosted","took":0.5,"error":{"id":"expert-unavailable","args":{"model":"org/bad"}},"cost":0.01,"provider":"p"}],"key":"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk","is":"Done"}',1790845260.0);
INSERT INTO "journal" VALUES('run-1','task:2','{"output":{"slots":{"audio":{"attachment":{"hash":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","media_type":"audio/flac","name":"speech.flac","size":1234},"is":"Media"}},"note":"robotic voice"},"took":2.5,"model":{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]},"place":"embedded","extras":[{"hash":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","media_type":"image/png","name":"dog.png","size":1234,"description":"photo"}],"key":"llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll","is":"Done"}',1790845260.0);
INSERT INTO "journal" VALUES('run-1','task:3','{"output":{"slots":{"boxes":{"items":[{"label":"cat","score":0.98,"xmin":1,"ymin":2,"xmax":30,"ymax":40}],"is":"Boxes"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","is":"Done"}',1790845260.0);
INSERT INTO "journal" VALUES('run-1','task:4','{"output":{"slots":{"masks":{"items":[{"label":"cat","score":0.7,"image":{"attachment":{"hash":"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","media_type":"image/png","name":"mask.png","size":1234}}}],"is":"Masks"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","is":"Done"}',1790845260.0);
INSERT INTO "journal" VALUES('run-1','task:5','{"output":{"slots":{"labels":{"items":[{"label":"tabby","score":0.6},{"label":"tiger","score":0.2}],"is":"Labels"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","source":{"run":"run-0","task":1},"is":"Done"}',1790845260.0);
INSERT INTO "journal" VALUES('run-1','task:6','{"output":{"slots":{"spans":{"items":[{"text":"Ann","label":"PER","score":0.99,"start":0,"end":3}],"is":"Spans"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"llm","is":"Done"}',1790845260.0);
INSERT INTO "journal" VALUES('run-1','task:7','{"output":{"slots":{"vector":{"values":[0.5,0.25],"is":"Vector"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","is":"Done"}',1790845260.0);
INSERT INTO "journal" VALUES('run-1','task:8','{"reason":{"id":"gone"},"tried":[{"model":"org/bad","place":"hosted","took":0.5,"error":{"id":"expert-unavailable","args":{"model":"org/bad"}},"cost":0.01,"provider":"p"}],"is":"Failed"}',1790845260.0);
INSERT INTO "journal" VALUES('run-1','task:9','{"because_of":8,"is":"Skipped"}',1790845260.0);
INSERT INTO "journal" VALUES('run-2','task:1','{"is":"Stopped"}',1790845380.0);
INSERT INTO "journal" VALUES('run-4','task:1','{"output":{"slots":{"text":{"text":"12","is":"Text"}}},"took":0.1,"model":{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]},"place":"embedded","key":"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm","is":"Done"}',1790845620.0);
INSERT INTO "journal" VALUES('run-30','plan','{"tasks":[{"id":1,"kind":"image-to-text","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":2,"kind":"text-to-speech","args":{"text":[{"task":1,"slot":"text","is":"Ref"}]}},{"id":3,"kind":"object-detection","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":4,"kind":"image-segmentation","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":5,"kind":"image-classification","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":6,"kind":"token-classification","args":{"text":[{"text":"Ann lives in Bonn","is":"Text"}]}},{"id":7,"kind":"feature-extraction","args":{"text":[{"text":"x","is":"Text"}]}},{"id":8,"kind":"translation","args":{"text":[{"task":1,"slot":"text","is":"Ref"}],"target":[{"text":"de","is":"Text"}]},"after":[2]},{"id":9,"kind":"summarization","args":{"text":[{"task":8,"slot":"text","is":"Ref"}]}}]}',1790845860.0);
CREATE TABLE outcomes (
	run VARCHAR NOT NULL, 
	task INTEGER NOT NULL, 
	body TEXT NOT NULL, content VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (run, task), 
	FOREIGN KEY(run) REFERENCES runs (id)
);
INSERT INTO "outcomes" VALUES('run-1',1,'{"output":{"slots":{"text":{"text":"a cat on a sofa","score":0.9,"is":"Text"}}},"took":1.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"hosted","tried":[{"model":"org/bad","place":"hosted","took":0.5,"error":{"id":"expert-unavailable","args":{"model":"org/bad"}},"cost":0.01,"provider":"p"}],"key":"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk","is":"Done"}','kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk');
INSERT INTO "outcomes" VALUES('run-1',2,'{"output":{"slots":{"audio":{"attachment":{"hash":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","media_type":"audio/flac","name":"speech.flac","size":1234},"is":"Media"}},"note":"robotic voice"},"took":2.5,"model":{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]},"place":"embedded","extras":[{"hash":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","media_type":"image/png","name":"dog.png","size":1234,"description":"photo"}],"key":"llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll","is":"Done"}','llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll');
INSERT INTO "outcomes" VALUES('run-1',3,'{"output":{"slots":{"boxes":{"items":[{"label":"cat","score":0.98,"xmin":1,"ymin":2,"xmax":30,"ymax":40}],"is":"Boxes"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","is":"Done"}','');
INSERT INTO "outcomes" VALUES('run-1',4,'{"output":{"slots":{"masks":{"items":[{"label":"cat","score":0.7,"image":{"attachment":{"hash":"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","media_type":"image/png","name":"mask.png","size":1234}}}],"is":"Masks"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","is":"Done"}','');
INSERT INTO "outcomes" VALUES('run-1',5,'{"output":{"slots":{"labels":{"items":[{"label":"tabby","score":0.6},{"label":"tiger","score":0.2}],"is":"Labels"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","source":{"run":"run-0","task":1},"is":"Done"}','');
INSERT INTO "outcomes" VALUES('run-1',6,'{"output":{"slots":{"spans":{"items":[{"text":"Ann","label":"PER","score":0.99,"start":0,"end":3}],"is":"Spans"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"llm","is":"Done"}','');
INSERT INTO "outcomes" VALUES('run-1',7,'{"output":{"slots":{"vector":{"values":[0.5,0.25],"is":"Vector"}}},"took":0.5,"model":{"id":"org/captioner","kind":"image-to-text","places":["hosted","local"],"description":"captions","downloads":5,"likes":2,"languages":["en"],"providers":["p:org/captioner"],"prices":{"p":{"prompt":1.0,"completion":2.0}}},"place":"local","is":"Done"}','');
INSERT INTO "outcomes" VALUES('run-1',8,'{"reason":{"id":"gone"},"tried":[{"model":"org/bad","place":"hosted","took":0.5,"error":{"id":"expert-unavailable","args":{"model":"org/bad"}},"cost":0.01,"provider":"p"}],"is":"Failed"}','');
INSERT INTO "outcomes" VALUES('run-1',9,'{"because_of":8,"is":"Skipped"}','');
INSERT INTO "outcomes" VALUES('run-2',1,'{"is":"Stopped"}','');
INSERT INTO "outcomes" VALUES('run-4',1,'{"output":{"slots":{"text":{"text":"12","is":"Text"}}},"took":0.1,"model":{"id":"troupe/line-finder","kind":"document-question-answering","places":["embedded"]},"place":"embedded","key":"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm","is":"Done"}','mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm');
CREATE TABLE runs (
	number INTEGER NOT NULL, 
	id VARCHAR NOT NULL, 
	thread VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	workspace VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	saved_at DOUBLE NOT NULL, 
	body TEXT NOT NULL, audience VARCHAR DEFAULT '' NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (id)
);
INSERT INTO "runs" VALUES(1,'run-1','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','U-ann','answered',1790845320.0,'{"id":"run-1","thread":"slack:T1:C1:1700000001.000100","person":"U-ann","text":"what is in the picture? say it aloud","state":"answered","plan":{"tasks":[{"id":1,"kind":"image-to-text","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":2,"kind":"text-to-speech","args":{"text":[{"task":1,"slot":"text","is":"Ref"}]}},{"id":3,"kind":"object-detection","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":4,"kind":"image-segmentation","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":5,"kind":"image-classification","args":{"image":[{"attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"},"is":"Media"}]}},{"id":6,"kind":"token-classification","args":{"text":[{"text":"Ann lives in Bonn","is":"Text"}]}},{"id":7,"kind":"feature-extraction","args":{"text":[{"text":"x","is":"Text"}]}},{"id":8,"kind":"translation","args":{"text":[{"task":1,"slot":"text","is":"Ref"}],"target":[{"text":"de","is":"Text"}]},"after":[2]},{"id":9,"kind":"summarization","args":{"text":[{"task":8,"slot":"text","is":"Ref"}]}}]},"repairs":[{"what":{"id":"repair-slot","args":{"task":2}}}],"answer":{"run":"run-1","text":"A cat on a sofa.","files":[{"attachment":{"hash":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","media_type":"audio/flac","name":"speech.flac","size":1234},"alt":"the words as sound","model":"troupe/line-finder","kind":"text-to-speech","task":2}],"notices":[{"id":"notice-fallback","args":{"model":"org/bad"}}],"written":{"by":"org/llm","took":1.25}},"unused":[{"name":"x.zip","reason":{"id":"file-type","args":{"name":"x.zip"}}}],"estimate":{"seconds":3.5,"cost":0.02},"sent":["image"],"audience":"workspace","prompts":"choose 1, plan 3"}','workspace');
INSERT INTO "runs" VALUES(2,'run-2','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','U-ben','stopped',1790845440.0,'{"id":"run-2","thread":"slack:T1:C1:1700000001.000100","person":"U-ben","text":"draw a dog","state":"stopped","plan":{"tasks":[{"id":1,"kind":"text-to-image","args":{"text":[{"text":"a dog","is":"Text"}]}}]}}','');
INSERT INTO "runs" VALUES(3,'run-3','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','U-ann','apologised',1790845560.0,'{"id":"run-3","thread":"slack:T1:C1:1700000001.000100","person":"U-ann","text":"again please","state":"apologised"}','');
INSERT INTO "runs" VALUES(4,'run-4','discord:G1:D1:900000000000000001','discord:G1:D1','discord:G1','U-ann','answered',1790845680.0,'{"id":"run-4","thread":"discord:G1:D1:900000000000000001","person":"U-ann","text":"average?","state":"answered","plan":{"tasks":[{"id":1,"kind":"table-question-answering","args":{"table":[{"attachment":{"hash":"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","media_type":"text/csv","name":"sales.csv","size":1234},"is":"Media"}],"question":[{"text":"average?","is":"Text"}]}}]},"answer":{"run":"run-4","text":"12"},"audience":"channel"}','channel');
INSERT INTO "runs" VALUES(5,'run-5','web:a1b2c3d4e5f6a7b8c9d0:conversationname1:conversationname1','web:a1b2c3d4e5f6a7b8c9d0:conversationname1','web:a1b2c3d4e5f6a7b8c9d0','a1b2c3d4e5f6a7b8c9d0','answered',1790845800.0,'{"id":"run-5","thread":"web:a1b2c3d4e5f6a7b8c9d0:conversationname1:conversationname1","person":"a1b2c3d4e5f6a7b8c9d0","text":"hello","state":"answered","answer":{"run":"run-5","text":"Hello!"}}','');
CREATE TABLE seen (
	"key" VARCHAR NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "seen" VALUES('6fbddddf016bcb8233dfc82090319415',1790845260.0);
INSERT INTO "seen" VALUES('73ab2c4b59b999a16148abdcc7ba4397',1790845380.0);
INSERT INTO "seen" VALUES('9e43955ca499bb1ac11b14166f9543ee',1790845500.0);
INSERT INTO "seen" VALUES('be8199d8b4fe16233ab4b6091b03a231',1790845620.0);
INSERT INTO "seen" VALUES('dcf8c9074a3080c80663ceee4532e2e2',1790845740.0);
CREATE TABLE summaries (
	thread VARCHAR NOT NULL, 
	through INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	at DOUBLE NOT NULL, 
	PRIMARY KEY (thread)
);
INSERT INTO "summaries" VALUES('slack:T1:C1:1700000001.000100',5,'Ann asked about a cat.',1790845860.0);
CREATE TABLE threads (
	"key" VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	workspace VARCHAR NOT NULL, 
	platform VARCHAR NOT NULL, 
	workspace_id VARCHAR NOT NULL, 
	channel_id VARCHAR NOT NULL, 
	root VARCHAR NOT NULL, 
	last_message VARCHAR DEFAULT '' NOT NULL, 
	last_at DOUBLE NOT NULL, closed BOOLEAN DEFAULT false NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "threads" VALUES('slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','slack','T1','C1','1700000001.000100','1700000030.000100',1790845860.0,0);
INSERT INTO "threads" VALUES('discord:G1:D1:900000000000000001','discord:G1:D1','discord:G1','discord','G1','D1','900000000000000001','900000000000000032',1790845860.0,0);
INSERT INTO "threads" VALUES('web:a1b2c3d4e5f6a7b8c9d0:conversationname1:conversationname1','web:a1b2c3d4e5f6a7b8c9d0:conversationname1','web:a1b2c3d4e5f6a7b8c9d0','web','a1b2c3d4e5f6a7b8c9d0','conversationname1','conversationname1','1700000005.000100',1790845860.0,0);
INSERT INTO "threads" VALUES('slack:T1:C1:1700000002.000100','slack:T1:C1','slack:T1','slack','T1','C1','1700000002.000100','1700000021.000100',1790845800.0,1);
CREATE TABLE turn_files (
	turn VARCHAR NOT NULL, 
	hash VARCHAR NOT NULL, 
	thread VARCHAR NOT NULL, 
	type VARCHAR NOT NULL, 
	number INTEGER NOT NULL, 
	PRIMARY KEY (turn, hash), 
	CONSTRAINT uq_turn_files_name UNIQUE (thread, type, number)
);
INSERT INTO "turn_files" VALUES('slack:T1:C1:1700000001.000100','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','slack:T1:C1:1700000001.000100','image',1);
INSERT INTO "turn_files" VALUES('run-1','cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc','slack:T1:C1:1700000001.000100','audio',1);
INSERT INTO "turn_files" VALUES('discord:G1:D1:1700000004.000100','eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee','discord:G1:D1:900000000000000001','table',1);
CREATE TABLE turns (
	number INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	thread VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	workspace VARCHAR NOT NULL, 
	person VARCHAR NOT NULL, 
	at DOUBLE NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (number), 
	FOREIGN KEY(thread) REFERENCES threads ("key"), 
	UNIQUE ("key")
);
INSERT INTO "turns" VALUES(1,'slack:T1:C1:1700000001.000100','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','U-ann',1790845260.0,'{"key":"slack:T1:C1:1700000001.000100","person":{"id":"U-ann","name":"Ann","locale":"de","roles":["admin"]},"text":"what is in the picture? say it aloud","files":[{"name":"image 1","attachment":{"hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","media_type":"image/png","name":"cat.png","size":1234,"description":"photo, 640x480"}}],"at":"2026-10-01T09:01:00+00:00"}');
INSERT INTO "turns" VALUES(2,'run-1','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','troupe',1790845320.0,'{"key":"run-1","person":{"id":"troupe","name":"Troupe","is_bot":true},"text":"A cat on a sofa.","files":[{"name":"audio 1","attachment":{"hash":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","media_type":"audio/flac","name":"speech.flac","size":1234}}],"at":"2026-10-01T09:02:00+00:00"}');
INSERT INTO "turns" VALUES(3,'slack:T1:C1:1700000002.000100','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','U-ben',1790845380.0,'{"key":"slack:T1:C1:1700000002.000100","person":{"id":"U-ben","name":"Ben"},"text":"draw a dog","files":[],"at":"2026-10-01T09:03:00+00:00"}');
INSERT INTO "turns" VALUES(4,'run-2','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','troupe',1790845440.0,'{"key":"run-2","person":{"id":"troupe","name":"Troupe","is_bot":true},"text":"Sorry.","files":[],"at":"2026-10-01T09:04:00+00:00"}');
INSERT INTO "turns" VALUES(5,'slack:T1:C1:1700000003.000100','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','U-ann',1790845500.0,'{"key":"slack:T1:C1:1700000003.000100","person":{"id":"U-ann","name":"Ann","locale":"de","roles":["admin"]},"text":"again please","files":[],"at":"2026-10-01T09:05:00+00:00"}');
INSERT INTO "turns" VALUES(6,'run-3','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','troupe',1790845560.0,'{"key":"run-3","person":{"id":"troupe","name":"Troupe","is_bot":true},"text":"Sorry.","files":[],"at":"2026-10-01T09:06:00+00:00"}');
INSERT INTO "turns" VALUES(7,'discord:G1:D1:1700000004.000100','discord:G1:D1:900000000000000001','discord:G1:D1','discord:G1','U-ann',1790845620.0,'{"key":"discord:G1:D1:1700000004.000100","person":{"id":"U-ann","name":"Ann","locale":"de","roles":["admin"]},"text":"average?","files":[{"name":"table 1","attachment":{"hash":"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","media_type":"text/csv","name":"sales.csv","size":1234}}],"at":"2026-10-01T09:07:00+00:00"}');
INSERT INTO "turns" VALUES(8,'run-4','discord:G1:D1:900000000000000001','discord:G1:D1','discord:G1','troupe',1790845680.0,'{"key":"run-4","person":{"id":"troupe","name":"Troupe","is_bot":true},"text":"12","files":[],"at":"2026-10-01T09:08:00+00:00"}');
INSERT INTO "turns" VALUES(9,'web:a1b2c3d4e5f6a7b8c9d0:conversationname1:1700000005.000100','web:a1b2c3d4e5f6a7b8c9d0:conversationname1:conversationname1','web:a1b2c3d4e5f6a7b8c9d0:conversationname1','web:a1b2c3d4e5f6a7b8c9d0','a1b2c3d4e5f6a7b8c9d0',1790845740.0,'{"key":"web:a1b2c3d4e5f6a7b8c9d0:conversationname1:1700000005.000100","person":{"id":"a1b2c3d4e5f6a7b8c9d0","name":"you"},"text":"hello","files":[],"at":"2026-10-01T09:09:00+00:00"}');
INSERT INTO "turns" VALUES(10,'run-5','web:a1b2c3d4e5f6a7b8c9d0:conversationname1:conversationname1','web:a1b2c3d4e5f6a7b8c9d0:conversationname1','web:a1b2c3d4e5f6a7b8c9d0','troupe',1790845800.0,'{"key":"run-5","person":{"id":"troupe","name":"Troupe","is_bot":true},"text":"Hello!","files":[],"at":"2026-10-01T09:10:00+00:00"}');
INSERT INTO "turns" VALUES(11,'slack:T1:C1:1700000020.000100','slack:T1:C1:1700000001.000100','slack:T1:C1','slack:T1','U-ben',1790845800.0,'{"key":"slack:T1:C1:1700000020.000100","person":{"id":"U-ben","name":"Ben"},"text":"look at ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff","files":[],"at":"2026-10-01T09:10:00+00:00"}');
INSERT INTO "turns" VALUES(12,'slack:T1:C1:1700000021.000100','slack:T1:C1:1700000002.000100','slack:T1:C1','slack:T1','U-ben',1790845800.0,'{"key":"slack:T1:C1:1700000021.000100","person":{"id":"U-ben","name":"Ben"},"text":"among us","files":[],"at":"2026-10-01T09:10:00+00:00"}');
CREATE INDEX ix_threads_active ON threads (platform, last_at);
CREATE INDEX ix_threads_channel ON threads (channel);
CREATE INDEX ix_turns_channel ON turns (channel, number);
CREATE INDEX ix_turns_person ON turns (workspace, person);
CREATE INDEX ix_turns_thread ON turns (thread, number);
CREATE INDEX ix_file_uses_hash ON file_uses (hash);
CREATE INDEX ix_inbox_channel ON inbox (channel);
CREATE INDEX ix_inbox_key ON inbox ("key");
CREATE INDEX ix_inbox_open ON inbox (finished, number);
CREATE INDEX ix_inbox_person ON inbox (workspace, person);
CREATE INDEX ix_inbox_thread ON inbox (thread);
CREATE INDEX ix_seen_at ON seen (at);
CREATE INDEX ix_runs_channel ON runs (channel);
CREATE INDEX ix_runs_person ON runs (workspace, person);
CREATE INDEX ix_runs_thread ON runs (thread, number);
CREATE INDEX ix_attempts_model ON attempts (model, channel);
CREATE INDEX ix_outcomes_content ON outcomes (run, content, task);
CREATE INDEX ix_feedback_channel ON feedback (channel, at);
CREATE INDEX ix_feedback_workspace ON feedback (workspace, at);
COMMIT;
