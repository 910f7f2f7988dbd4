PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE schema_steps (step integer PRIMARY KEY, done_at bigint NOT NULL);
INSERT INTO schema_steps VALUES(1,1795513485544);
INSERT INTO schema_steps VALUES(2,1795513485544);
INSERT INTO schema_steps VALUES(3,1795513485546);
INSERT INTO schema_steps VALUES(4,1795513485547);
INSERT INTO schema_steps VALUES(5,1795513485548);
INSERT INTO schema_steps VALUES(6,1795513485548);
INSERT INTO schema_steps VALUES(7,1795513485548);
INSERT INTO schema_steps VALUES(8,1795513485549);
INSERT INTO schema_steps VALUES(9,1795513485551);
INSERT INTO schema_steps VALUES(10,1795513485552);
INSERT INTO schema_steps VALUES(11,1795513485552);
INSERT INTO schema_steps VALUES(12,1795513485553);
INSERT INTO schema_steps VALUES(13,1795513485553);
INSERT INTO schema_steps VALUES(14,1795513485554);
INSERT INTO schema_steps VALUES(15,1795513485554);
INSERT INTO schema_steps VALUES(16,1795513485554);
INSERT INTO schema_steps VALUES(17,1795513485554);
CREATE TABLE people (
    steam_id text PRIMARY KEY,
    display_name text,
    avatar_url text,
    personastate integer NOT NULL DEFAULT 0,
    playing text,
    profile_at bigint,
    friends_status text NOT NULL DEFAULT 'never',
    friends_at bigint,
    signed_in_at bigint,
    library_visibility text NOT NULL DEFAULT 'connected', hidden_appids text, playing_appid bigint, blocked_at bigint, friends_checked_at bigint);
INSERT INTO people VALUES('76561202160265731','Mira','http://localhost:3000/simulator/pictures/avatars/2b83dd2cf9c0e69ed7a0b23a22a6292ebb769e19_full.svg',1,'Portal 2',1792065600000,'never',NULL,1792065600000,'groups','620 730',620,NULL,1795521600000);
INSERT INTO people VALUES('76561202160266260','Fable','http://localhost:3000/simulator/pictures/avatars/6e62fbe3f32b93099a59d4cfe7d7d10eb6b24976_full.svg',6,NULL,1792065600000,'never',NULL,1792065600000,'connected',NULL,NULL,1795521600000,NULL);
INSERT INTO people VALUES('76561202160266573','Bento','http://localhost:3000/simulator/pictures/avatars/976293799b4898fce49f4913a2f12f5a8181e817_full.svg',0,NULL,1792065600000,'never',NULL,1792065600000,'connected',NULL,NULL,NULL,NULL);
INSERT INTO people VALUES('76561202160267095','Ruben','http://localhost:3000/simulator/pictures/avatars/eef24641ffeca0ec334278acb31ebbbac9cb0ae4_full.svg',0,NULL,1792065600000,'never',NULL,1792065600000,'connected',NULL,NULL,NULL,NULL);
INSERT INTO people VALUES('76561202160265953','Jonas K.','http://localhost:3000/simulator/pictures/avatars/5cdbe52cda9c7139d3b3e3b6c1cca2893391f02f_full.svg',1,NULL,1792065600000,'never',NULL,1792065600000,'connected',NULL,NULL,NULL,NULL);
INSERT INTO people VALUES('76561202160267121','Quill','http://localhost:3000/simulator/pictures/avatars/63ea3546205b8d661d1e33a9c51ec23e27d908be_full.svg',0,NULL,1792065600000,'never',NULL,1792065600000,'connected',NULL,NULL,NULL,NULL);
INSERT INTO people VALUES('76561202160266693','halfpast9','http://localhost:3000/simulator/pictures/avatars/df5ca8a1f714c8d6da6d311f63d2c5ad47ecc630_full.svg',1,NULL,1792065600000,'never',NULL,1792065600000,'connected',NULL,NULL,NULL,NULL);
INSERT INTO people VALUES('76561202160266321','Okapi','http://localhost:3000/simulator/pictures/avatars/d02eee0ff946f279e14100be87d2a7720fb25b7b_full.svg',0,NULL,1792065600000,'never',NULL,1792065600000,'connected',NULL,NULL,NULL,NULL);
INSERT INTO people VALUES('76561202160266429','Noor','http://localhost:3000/simulator/pictures/avatars/7835da35f7e667bc311cd36ca7320d20f167b970_full.svg',0,NULL,1792065600000,'never',NULL,1792065600000,'connected',NULL,NULL,NULL,NULL);
INSERT INTO people VALUES('76561202160266866','Saoirse','http://localhost:3000/simulator/pictures/avatars/8e1d0174ea37569f169d102da4102b24a398c791_full.svg',0,NULL,1792065600000,'never',NULL,1792065600000,'connected',NULL,NULL,NULL,NULL);
INSERT INTO people VALUES('76561202160267286','Ivo the Brave','http://localhost:3000/simulator/pictures/avatars/92ba46fdbbc4520e049217b23df7d604b7d11012_full.svg',0,NULL,1792065600000,'never',NULL,1792065600000,'connected',NULL,NULL,NULL,NULL);
INSERT INTO people VALUES('76561202160280092','Quiet Kettle','http://localhost:3000/simulator/pictures/avatars/23b601801118ceaad6a23299ec8d2b69b40bd2f2_full.svg',0,NULL,1792065600000,'never',NULL,1792065600000,'connected',NULL,NULL,NULL,NULL);
CREATE TABLE libraries (
    steam_id text PRIMARY KEY REFERENCES people,
    version bigint NOT NULL,
    status text NOT NULL,
    packed blob,
    game_count integer NOT NULL DEFAULT 0,
    total_minutes bigint NOT NULL DEFAULT 0,
    synced_at bigint,
    checked_at bigint NOT NULL, tracked_since bigint);
INSERT INTO libraries VALUES('76561202160265731',3,'ok',X'0102ff00',2,90,1795521600000,1795521600000,1795521599999);
CREATE TABLE library_changes (
    steam_id text NOT NULL REFERENCES people,
    at bigint NOT NULL,
    appid bigint NOT NULL,
    kind text NOT NULL,
    minutes bigint NOT NULL,
    PRIMARY KEY (steam_id, at, appid, kind));
INSERT INTO library_changes VALUES('76561202160265731',1795521600000,620,'played',30);
CREATE TABLE sessions (
    "session_id" integer PRIMARY KEY AUTOINCREMENT,
    steam_id text NOT NULL REFERENCES people,
    token_hash text NOT NULL UNIQUE,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    user_agent text NOT NULL, browser_hash text, handover_hash text, handover_until bigint);
INSERT INTO sessions VALUES(1,'76561202160265731','a1b2','browser',1795521600000,1795521600000,1804521600000,'Firefox on Linux','c3d4',NULL,NULL);
CREATE TABLE used_once (
    kind text NOT NULL,
    value text NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (kind, value));
INSERT INTO used_once VALUES('first_read:1qCF55yH0P4HK03Ur4NPHZdB1pwJRu4UEHO2PZ-J2c8','0',1792152000000);
INSERT INTO used_once VALUES('first_read:cEYyWoDiOCX-2hJICOOAR3J191Hij-pXtOX-hfhBJTk','0',1792152000000);
INSERT INTO used_once VALUES('first_read:4W0C_zB5GKdMgYsuqjHpGlZz1y-JpUD6xLKxlCY7q9E','0',1792152000000);
INSERT INTO used_once VALUES('first_read:4TLJjIwklH66lI2CpKdwppZI1GRbEtW3r47yAhr58_0','0',1792152000000);
INSERT INTO used_once VALUES('first_read:JvaXF586RZejaN1hPDBNN4XhkAS8FxzyGbILSlvL_p4','0',1792152000000);
INSERT INTO used_once VALUES('first_read:RMT3-We6q6NU9l6NBuZ1bTx19UVfVhkhQCSc5QuRqeg','0',1792152000000);
INSERT INTO used_once VALUES('first_read:JQVNDVIbRgB1-vyogl0eZuvCJdCoaBkqU8hlI1G5cME','0',1792152000000);
INSERT INTO used_once VALUES('first_read:Xllp2_DysxUIxJZ9AJhDkWERXNUIJK_FCPUNN9slsK8','0',1792152000000);
INSERT INTO used_once VALUES('first_read:6kXaLoyUNZvzvBiJHY9WX_WV_7lc-JFkZPPLPoRb6OY','0',1792152000000);
INSERT INTO used_once VALUES('first_read:fbm197uGd7eThDwlktAJbmSzLP9IDPTWd-XLdNVGY_w','0',1792152000000);
INSERT INTO used_once VALUES('first_read:aBNfbLeRuGsojV5qbAcu4zA5UPRJ6aaU74r3QsWp4sU','0',1792152000000);
INSERT INTO used_once VALUES('first_read:B4ulHO8wSCnAWF8w8i2jdqAXKkWE-HweoBJBhVTWas8','0',1792152000000);
INSERT INTO used_once VALUES('nonce','2026-11-24T12:00:00Zabc',1804521600000);
CREATE TABLE pictures (
    picture_key text PRIMARY KEY,
    content_type text,
    bytes blob,
    source_url text,
    fetched_at bigint,
    created_at bigint NOT NULL);
INSERT INTO pictures VALUES('aa9f649aaeab8d331a873b09d4a77afb.webp','image/webp',X'52494646',NULL,1792929600000,1792929600000);
INSERT INTO pictures VALUES('0c9b60b773b2fe59f38f83452aee20f4.webp','image/webp',X'52494646',NULL,1792929600000,1792929600000);
INSERT INTO pictures VALUES('4aa59a6c3b7b8abf099d9142e42a8291.webp','image/webp',X'52494646',NULL,1792929600000,1792929600000);
CREATE TABLE groups (
    "group_id" integer PRIMARY KEY AUTOINCREMENT,
    name text NOT NULL,
    owner_steam_id text NOT NULL REFERENCES people,
    picture_url text,
    picture_key text REFERENCES pictures,
    created_at bigint NOT NULL,
    synced_at bigint, not_tonight_forbids integer NOT NULL DEFAULT 0, shares integer NOT NULL DEFAULT 1);
INSERT INTO "groups" VALUES(1,'Friday crew','76561202160265731','/media/aa9f649aaeab8d331a873b09d4a77afb.webp','aa9f649aaeab8d331a873b09d4a77afb.webp',1792929600000,NULL,0,1);
INSERT INTO "groups" VALUES(2,'Night owls','76561202160265953','/media/0c9b60b773b2fe59f38f83452aee20f4.webp','0c9b60b773b2fe59f38f83452aee20f4.webp',1792929600000,NULL,0,1);
INSERT INTO "groups" VALUES(3,'Sunday co-op','76561202160266429','/media/4aa59a6c3b7b8abf099d9142e42a8291.webp','4aa59a6c3b7b8abf099d9142e42a8291.webp',1792929600000,NULL,0,1);
CREATE TABLE group_members (
    group_id bigint NOT NULL REFERENCES groups,
    steam_id text NOT NULL REFERENCES people,
    added_at bigint NOT NULL, joined_at bigint, added_by text,
    PRIMARY KEY (group_id, steam_id));
INSERT INTO group_members VALUES(1,'76561202160265731',1792929600000,1792929600000,NULL);
INSERT INTO group_members VALUES(1,'76561202160266260',1792929600000,1792933200000,'76561202160265731');
INSERT INTO group_members VALUES(1,'76561202160266573',1792929600000,1792933200000,'76561202160265731');
INSERT INTO group_members VALUES(1,'76561202160267095',1792929600000,1792933200000,'76561202160265731');
INSERT INTO group_members VALUES(1,'76561202160266321',1792929600000,1792933200000,'76561202160265731');
INSERT INTO group_members VALUES(1,'76561202160267121',1792929600000,NULL,'76561202160265731');
INSERT INTO group_members VALUES(2,'76561202160265953',1792929600000,1792929600000,NULL);
INSERT INTO group_members VALUES(2,'76561202160266321',1792929600000,1792933200000,'76561202160265953');
INSERT INTO group_members VALUES(2,'76561202160266693',1792929600000,1792933200000,'76561202160265953');
INSERT INTO group_members VALUES(2,'76561202160267121',1792929600000,1792933200000,'76561202160265953');
INSERT INTO group_members VALUES(3,'76561202160266429',1792929600000,1792929600000,NULL);
INSERT INTO group_members VALUES(3,'76561202160266866',1792929600000,1792933200000,'76561202160266429');
INSERT INTO group_members VALUES(3,'76561202160267286',1792929600000,1792933200000,'76561202160266429');
INSERT INTO group_members VALUES(3,'76561202160266321',1792929600000,1792933200000,'76561202160266429');
INSERT INTO group_members VALUES(3,'76561202160280092',1792929600000,1792933200000,'76561202160266429');
CREATE TABLE syncs (
    "sync_id" integer PRIMARY KEY AUTOINCREMENT,
    steam_id text NOT NULL REFERENCES people,
    kind text NOT NULL,
    target text NOT NULL,
    started_at bigint NOT NULL,
    finished_at bigint,
    result text NOT NULL,
    counted integer NOT NULL,
    item_count integer, alive_until bigint);
INSERT INTO syncs VALUES(1,'76561202160265731','games','',1795521600000,1795521600900,'ok',1,2,1795521660000);
CREATE TABLE refreshes (
    steam_id text PRIMARY KEY REFERENCES people,
    requested_by text NOT NULL,
    requested_at bigint NOT NULL,
    priority integer NOT NULL,
    attempts integer NOT NULL,
    next_attempt_at bigint NOT NULL,
    lease_owner text,
    lease_until bigint NOT NULL, games_due integer NOT NULL DEFAULT 1, friends_due integer NOT NULL DEFAULT 0);
INSERT INTO refreshes VALUES('76561202160265731','76561202160265731',1792065600000,3,0,1792065600000,NULL,0,1,1);
INSERT INTO refreshes VALUES('76561202160266260','76561202160266260',1792065600000,3,0,1792065600000,NULL,0,1,1);
INSERT INTO refreshes VALUES('76561202160266573','76561202160266573',1792065600000,3,0,1792065600000,NULL,0,1,1);
INSERT INTO refreshes VALUES('76561202160267095','76561202160267095',1792065600000,3,0,1792065600000,NULL,0,1,1);
INSERT INTO refreshes VALUES('76561202160265953','76561202160265953',1792065600000,3,0,1792065600000,NULL,0,1,1);
INSERT INTO refreshes VALUES('76561202160267121','76561202160267121',1792065600000,3,0,1792065600000,NULL,0,1,1);
INSERT INTO refreshes VALUES('76561202160266693','76561202160266693',1792065600000,3,0,1792065600000,NULL,0,1,1);
INSERT INTO refreshes VALUES('76561202160266321','76561202160266321',1792065600000,3,0,1792065600000,NULL,0,1,1);
INSERT INTO refreshes VALUES('76561202160266429','76561202160266429',1792065600000,3,0,1792065600000,NULL,0,1,1);
INSERT INTO refreshes VALUES('76561202160266866','76561202160266866',1792065600000,3,0,1792065600000,NULL,0,1,1);
INSERT INTO refreshes VALUES('76561202160267286','76561202160267286',1792065600000,3,0,1792065600000,NULL,0,1,1);
INSERT INTO refreshes VALUES('76561202160280092','76561202160280092',1792065600000,3,0,1792065600000,NULL,0,1,1);
CREATE TABLE platform_hosts (
    host text PRIMARY KEY,
    blocked_until bigint NOT NULL,
    blocked_by text,
    held_until bigint NOT NULL,
    failures integer NOT NULL,
    next_call_at double precision NOT NULL);
INSERT INTO platform_hosts VALUES('api',0,NULL,0,1,1795521600000.4999999);
CREATE TABLE platform_days (
    host text NOT NULL,
    day text NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (host, day));
INSERT INTO platform_days VALUES('api','2026-11-24',12);
CREATE TABLE apps (
    appid bigint PRIMARY KEY,
    name text,
    kind integer,
    icon_hash text,
    header_url text,
    categories text,
    store_due_at bigint NOT NULL DEFAULT 0, is_free integer);
INSERT INTO apps VALUES(620,'Portal 2',0,'e5',NULL,'1 2 9',1804521600000,0);
INSERT INTO apps VALUES(730,'Größe “5” — 反恐',0,NULL,NULL,NULL,0,NULL);
CREATE TABLE installation (name text PRIMARY KEY, value text NOT NULL);
INSERT INTO installation VALUES('secret','rAHqA_5PI5ogbSE3go5Xace8vCBOApAQAItLWhahMpE');
INSERT INTO installation VALUES('mode','real');
CREATE TABLE group_departures (
    group_id bigint NOT NULL REFERENCES groups,
    steam_id text NOT NULL REFERENCES people,
    left_at bigint NOT NULL, "removed" integer NOT NULL DEFAULT 0, "may_return" integer NOT NULL DEFAULT 1, "forgotten" integer NOT NULL DEFAULT 0,
    PRIMARY KEY (group_id, steam_id));
INSERT INTO group_departures VALUES(1,'76561202160266260',1795521600000,1,0,0);
CREATE TABLE deleted_accounts (
    id_hash text PRIMARY KEY,
    deleted_at bigint NOT NULL,
    recent_uses text NOT NULL);
INSERT INTO deleted_accounts VALUES('f00d',1795521600000,'[]');
CREATE TABLE picture_changes (
    "change_id" integer PRIMARY KEY AUTOINCREMENT,
    steam_id text NOT NULL REFERENCES people,
    at bigint NOT NULL);
INSERT INTO picture_changes VALUES(1,'76561202160265731',1795521600000);
CREATE TABLE playtime_months (
    steam_id text NOT NULL REFERENCES people,
    month integer NOT NULL,
    packed blob NOT NULL,
    PRIMARY KEY (steam_id, month));
INSERT INTO playtime_months VALUES('76561202160265731',24322,X'0a0b');
CREATE TABLE changes (change_id integer PRIMARY KEY AUTOINCREMENT, subject text NOT NULL);
INSERT INTO changes VALUES(1,'*');
INSERT INTO changes VALUES(2,'person:76561202160265731');
INSERT INTO changes VALUES(3,'person:76561202160266260');
INSERT INTO changes VALUES(4,'person:76561202160266573');
INSERT INTO changes VALUES(5,'person:76561202160267095');
INSERT INTO changes VALUES(6,'person:76561202160265953');
INSERT INTO changes VALUES(7,'person:76561202160267121');
INSERT INTO changes VALUES(8,'person:76561202160266693');
INSERT INTO changes VALUES(9,'person:76561202160266321');
INSERT INTO changes VALUES(10,'person:76561202160266429');
INSERT INTO changes VALUES(11,'person:76561202160266866');
INSERT INTO changes VALUES(12,'person:76561202160267286');
INSERT INTO changes VALUES(13,'person:76561202160280092');
INSERT INTO changes VALUES(14,'group:1');
INSERT INTO changes VALUES(15,'groups:76561202160265731');
INSERT INTO changes VALUES(16,'groups:76561202160266260');
INSERT INTO changes VALUES(17,'groups:76561202160266573');
INSERT INTO changes VALUES(18,'groups:76561202160267095');
INSERT INTO changes VALUES(19,'groups:76561202160266321');
INSERT INTO changes VALUES(20,'groups:76561202160267121');
INSERT INTO changes VALUES(21,'night:1');
INSERT INTO changes VALUES(22,'nights:g1');
INSERT INTO changes VALUES(23,'nights:76561202160265731');
INSERT INTO changes VALUES(24,'nights:76561202160266260');
INSERT INTO changes VALUES(25,'nights:76561202160266573');
INSERT INTO changes VALUES(26,'nights:76561202160267095');
INSERT INTO changes VALUES(27,'night:2');
INSERT INTO changes VALUES(28,'night:3');
INSERT INTO changes VALUES(29,'nights:76561202160266321');
INSERT INTO changes VALUES(30,'group:2');
INSERT INTO changes VALUES(31,'groups:76561202160265953');
INSERT INTO changes VALUES(32,'groups:76561202160266693');
INSERT INTO changes VALUES(33,'night:4');
INSERT INTO changes VALUES(34,'nights:g2');
INSERT INTO changes VALUES(35,'nights:76561202160265953');
INSERT INTO changes VALUES(36,'nights:76561202160266693');
INSERT INTO changes VALUES(37,'nights:76561202160267121');
INSERT INTO changes VALUES(38,'group:3');
INSERT INTO changes VALUES(39,'groups:76561202160266429');
INSERT INTO changes VALUES(40,'groups:76561202160266866');
INSERT INTO changes VALUES(41,'groups:76561202160267286');
INSERT INTO changes VALUES(42,'groups:76561202160280092');
INSERT INTO changes VALUES(43,'night:5');
INSERT INTO changes VALUES(44,'nights:g3');
INSERT INTO changes VALUES(45,'nights:76561202160266429');
INSERT INTO changes VALUES(46,'nights:76561202160266866');
INSERT INTO changes VALUES(47,'nights:76561202160267286');
CREATE TABLE nights (
    "night_id" integer PRIMARY KEY AUTOINCREMENT,
    group_id bigint REFERENCES groups,
    host_steam_id text REFERENCES people,
    title text,
    starts_at bigint NOT NULL,
    created_at bigint NOT NULL,
    planned integer NOT NULL,
    status text NOT NULL,
    version bigint NOT NULL,
    forbids integer NOT NULL,
    seed text NOT NULL,
    result text,
    decided_at bigint,
    ended_at bigint,
    presence_at bigint NOT NULL DEFAULT 0,
    calendar_sequence integer NOT NULL DEFAULT 0,
    start_announced integer NOT NULL DEFAULT 0,
    played_at bigint,
    share_token text UNIQUE, zone text, faces integer NOT NULL DEFAULT 0, any_size integer NOT NULL DEFAULT 0);
INSERT INTO nights VALUES(1,1,'76561202160265731',NULL,1794596400000,1794337200000,1,'decided',6,0,'9a83a3ba390087e3339d298929164938035bdfba2d27150ae8479414bd2f8879','{"by":"votes","entries":[{"appid":1240440,"facts":{"people":4,"known":4,"owners":4,"played_recently":1,"experienced":2,"played":3,"never_played":1,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":548430,"facts":{"people":4,"known":4,"owners":4,"played_recently":2,"experienced":3,"played":3,"never_played":1,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":374320,"facts":{"people":4,"known":4,"owners":4,"played_recently":2,"experienced":4,"played":4,"never_played":0,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":240,"facts":{"people":4,"known":4,"owners":4,"played_recently":2,"experienced":1,"played":3,"never_played":1,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":648800,"facts":{"people":4,"known":4,"owners":4,"played_recently":1,"experienced":3,"played":3,"never_played":1,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":550,"facts":{"people":4,"known":4,"owners":4,"played_recently":1,"experienced":3,"played":4,"never_played":0,"picked_weeks_ago":null,"picked_last":false,"played_together":null}}],"total":33,"scores":[{"appid":1240440,"score":8,"ruled_out":false},{"appid":548430,"score":2,"ruled_out":false},{"appid":374320,"score":-3,"ruled_out":false},{"appid":240,"score":1,"ruled_out":false},{"appid":648800,"score":2,"ruled_out":false},{"appid":550,"score":-3,"ruled_out":false}],"everythingRuledOut":false}',1794595800000,1794595800000,0,1,0,1794682800000,NULL,NULL,0,0);
INSERT INTO nights VALUES(2,1,'76561202160265731',NULL,1795201200000,1794942000000,1,'decided',5,0,'e02091e604cd762aba93f803e837496dbc0ce6bac1bc0e1e2f720e4a1de71697','{"by":"votes","entries":[{"appid":730,"facts":{"people":3,"known":3,"owners":3,"played_recently":1,"experienced":1,"played":1,"never_played":2,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":374320,"facts":{"people":3,"known":3,"owners":3,"played_recently":2,"experienced":3,"played":3,"never_played":0,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":240,"facts":{"people":3,"known":3,"owners":3,"played_recently":2,"experienced":1,"played":3,"never_played":0,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":413150,"facts":{"people":3,"known":3,"owners":3,"played_recently":1,"experienced":3,"played":3,"never_played":0,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":548430,"facts":{"people":3,"known":3,"owners":3,"played_recently":1,"experienced":2,"played":2,"never_played":1,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":648800,"facts":{"people":3,"known":3,"owners":3,"played_recently":1,"experienced":2,"played":2,"never_played":1,"picked_weeks_ago":null,"picked_last":false,"played_together":null}}],"total":33,"scores":[{"appid":730,"score":6,"ruled_out":false},{"appid":374320,"score":0,"ruled_out":false},{"appid":240,"score":0,"ruled_out":false},{"appid":413150,"score":0,"ruled_out":false},{"appid":548430,"score":0,"ruled_out":false},{"appid":648800,"score":0,"ruled_out":false}],"everythingRuledOut":false}',1795200600000,1795200600000,0,1,0,1795287600000,NULL,NULL,0,0);
INSERT INTO nights VALUES(3,1,'76561202160265731','Friday as always',1795806000000,1795503600000,1,'open',1,0,'8d33b89d9dcd5452bf699ba52630e98be87a25b5647a763a5e746870ec46c0e5',NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,0,0);
INSERT INTO nights VALUES(4,2,'76561202160265953',NULL,1795633200000,1795374000000,1,'open',1,0,'595900bf51cb48770b59ff2686b3e2109a4d3e9137c605a1f8c34d995f958d89',NULL,NULL,NULL,0,0,0,NULL,NULL,NULL,0,0);
INSERT INTO nights VALUES(5,3,'76561202160266429',NULL,1795374000000,1795114800000,1,'decided',5,0,'d39a5526cfa5188a8483b57c7ebf5f3a11f16cd30d942fb3c7dcf047e8e3b12e','{"by":"votes","entries":[{"appid":550,"facts":{"people":3,"known":3,"owners":3,"played_recently":1,"experienced":3,"played":3,"never_played":0,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":4000,"facts":{"people":3,"known":3,"owners":3,"played_recently":1,"experienced":2,"played":2,"never_played":1,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":105600,"facts":{"people":3,"known":3,"owners":3,"played_recently":1,"experienced":2,"played":2,"never_played":1,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":413150,"facts":{"people":3,"known":3,"owners":3,"played_recently":1,"experienced":3,"played":3,"never_played":0,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":438100,"facts":{"people":3,"known":3,"owners":3,"played_recently":1,"experienced":3,"played":3,"never_played":0,"picked_weeks_ago":null,"picked_last":false,"played_together":null}},{"appid":648800,"facts":{"people":3,"known":3,"owners":3,"played_recently":1,"experienced":2,"played":2,"never_played":1,"picked_weeks_ago":null,"picked_last":false,"played_together":null}}],"total":31,"scores":[{"appid":550,"score":6,"ruled_out":false},{"appid":4000,"score":0,"ruled_out":false},{"appid":105600,"score":0,"ruled_out":false},{"appid":413150,"score":0,"ruled_out":false},{"appid":438100,"score":0,"ruled_out":false},{"appid":648800,"score":0,"ruled_out":false}],"everythingRuledOut":false}',1795373400000,1795373400000,0,1,0,1795460400000,NULL,NULL,0,0);
CREATE TABLE night_people (
    night_id bigint NOT NULL REFERENCES nights,
    steam_id text NOT NULL REFERENCES people,
    answer text,
    word text,
    answered_at bigint,
    voted_at bigint,
    marks text,
    added_by text,
    added_at bigint NOT NULL,
    gone integer NOT NULL DEFAULT 0,
    played integer NOT NULL DEFAULT 0, claims text,
    PRIMARY KEY (night_id, steam_id));
INSERT INTO night_people VALUES(1,'76561202160265731','in',NULL,1794340800000,1794340800000,'1240440:want,548430:want,374320:no,240:fine,648800:want,550:no',NULL,1794337200000,0,1,NULL);
INSERT INTO night_people VALUES(1,'76561202160266260','in',NULL,1794344400000,1794344400000,'1240440:want,548430:no,374320:fine,240:want,648800:no,550:fine',NULL,1794337200000,0,1,NULL);
INSERT INTO night_people VALUES(1,'76561202160266573','in',NULL,1794348000000,1794348000000,'1240440:want,548430:fine,374320:want,240:no,648800:fine,550:want',NULL,1794337200000,0,1,NULL);
INSERT INTO night_people VALUES(1,'76561202160267095','in',NULL,1794351600000,1794351600000,'1240440:want,548430:want,374320:no,240:fine,648800:want,550:no',NULL,1794337200000,0,1,NULL);
INSERT INTO night_people VALUES(2,'76561202160265731','in',NULL,1794945600000,1794945600000,'730:want,374320:want,240:no,413150:fine,548430:want,648800:no',NULL,1794942000000,0,1,NULL);
INSERT INTO night_people VALUES(2,'76561202160266260','in',NULL,1794949200000,1794949200000,'730:want,374320:no,240:fine,413150:want,548430:no,648800:fine',NULL,1794942000000,0,1,NULL);
INSERT INTO night_people VALUES(2,'76561202160267095','in',NULL,1794952800000,1794952800000,'730:want,374320:fine,240:want,413150:no,548430:fine,648800:want',NULL,1794942000000,0,1,NULL);
INSERT INTO night_people VALUES(3,'76561202160265731','in',NULL,1795507200000,1795507200000,'1240440:fine,4000:want,271590:fine,892970:want,550:fine',NULL,1795503600000,0,0,NULL);
INSERT INTO night_people VALUES(3,'76561202160266260','in','Bringing snacks',1795510800000,1795510800000,'1240440:want,4000:fine,271590:want,892970:want,550:no',NULL,1795503600000,0,0,NULL);
INSERT INTO night_people VALUES(3,'76561202160266573','maybe','Late shift, will know on Thursday',1795514400000,NULL,NULL,NULL,1795503600000,0,0,NULL);
INSERT INTO night_people VALUES(3,'76561202160267095','in',NULL,1795518000000,1795518000000,'1240440:fine,4000:want,271590:no,892970:fine,550:want',NULL,1795503600000,0,0,NULL);
INSERT INTO night_people VALUES(3,'76561202160266321',NULL,NULL,NULL,NULL,NULL,NULL,1795503600000,0,0,NULL);
INSERT INTO night_people VALUES(4,'76561202160265953','in','Anyone?',1795377600000,NULL,NULL,NULL,1795374000000,0,0,NULL);
INSERT INTO night_people VALUES(4,'76561202160266321',NULL,NULL,NULL,NULL,NULL,NULL,1795374000000,0,0,NULL);
INSERT INTO night_people VALUES(4,'76561202160266693','in',NULL,1795384800000,NULL,NULL,NULL,1795374000000,0,0,NULL);
INSERT INTO night_people VALUES(4,'76561202160267121',NULL,NULL,NULL,NULL,NULL,NULL,1795374000000,0,0,NULL);
INSERT INTO night_people VALUES(5,'76561202160266429','in',NULL,1795118400000,1795118400000,'550:want,4000:want,105600:no,413150:fine,438100:want,648800:no',NULL,1795114800000,0,1,NULL);
INSERT INTO night_people VALUES(5,'76561202160266866','in',NULL,1795122000000,1795122000000,'550:want,4000:no,105600:fine,413150:want,438100:no,648800:fine',NULL,1795114800000,0,1,NULL);
INSERT INTO night_people VALUES(5,'76561202160267286','in',NULL,1795125600000,1795125600000,'550:want,4000:fine,105600:want,413150:no,438100:fine,648800:want',NULL,1795114800000,0,1,NULL);
CREATE TABLE night_draws (
    night_id bigint NOT NULL REFERENCES nights,
    number integer NOT NULL,
    appid bigint NOT NULL,
    "by" text NOT NULL,
    odds text NOT NULL,
    reason text,
    drawn_by text,
    at bigint NOT NULL,
    PRIMARY KEY (night_id, number));
INSERT INTO night_draws VALUES(1,1,1240440,'votes','[{"appid":1240440,"weight":1}]',NULL,'76561202160265731',1794595800000);
INSERT INTO night_draws VALUES(2,1,730,'votes','[{"appid":730,"weight":1}]',NULL,'76561202160265731',1795200600000);
INSERT INTO night_draws VALUES(5,1,550,'votes','[{"appid":550,"weight":1}]',NULL,'76561202160266429',1795373400000);
CREATE TABLE invites (
    token text PRIMARY KEY,
    group_id bigint UNIQUE REFERENCES groups,
    night_id bigint UNIQUE REFERENCES nights,
    created_by text NOT NULL REFERENCES people,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL);
INSERT INTO invites VALUES('link',1,NULL,'76561202160265731',1795521600000,1804521600000);
CREATE TABLE webhooks (
    "webhook_id" integer PRIMARY KEY AUTOINCREMENT,
    group_id bigint NOT NULL UNIQUE REFERENCES groups,
    url text NOT NULL,
    format text NOT NULL,
    secret text NOT NULL,
    created_by text NOT NULL REFERENCES people,
    created_at bigint NOT NULL,
    last_ok_at bigint,
    last_error text,
    last_error_at bigint,
    gone_count integer NOT NULL DEFAULT 0,
    off_at bigint);
INSERT INTO webhooks VALUES(1,1,'https://hooks.example.org/1','json','s3cret','76561202160265731',1795521600000,NULL,NULL,NULL,0,NULL);
CREATE TABLE messages (
    "message_id" integer PRIMARY KEY AUTOINCREMENT,
    webhook_id bigint NOT NULL REFERENCES webhooks,
    event text NOT NULL,
    body text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at bigint NOT NULL,
    lease_until bigint NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    done_at bigint);
INSERT INTO messages VALUES(1,1,'night_started','{"night":3}',0,1795521600000,0,1795521600000,NULL);
CREATE TABLE calendar_feeds (
    token text PRIMARY KEY,
    steam_id text NOT NULL UNIQUE REFERENCES people,
    created_at bigint NOT NULL);
INSERT INTO calendar_feeds VALUES('feed','76561202160265731',1795521600000);
CREATE TABLE friend_lists (
    steam_id text PRIMARY KEY REFERENCES people,
    packed blob NOT NULL);
INSERT INTO friend_lists VALUES('76561202160265731',X'00ff10');
CREATE TABLE blocked_accounts (
    id_hash text PRIMARY KEY,
    blocked_at bigint NOT NULL,
    reason text NOT NULL,
    visibility_before text NOT NULL);
INSERT INTO blocked_accounts VALUES('b10c',1795521600000,'spam','connected');
CREATE TABLE group_reports (
    group_id bigint NOT NULL REFERENCES "groups",
    steam_id text NOT NULL REFERENCES "people",
    about text NOT NULL,
    reason text NOT NULL,
    name_then text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (group_id, steam_id));
INSERT INTO group_reports VALUES(1,'76561202160265953','name','rude','Friday crew',1795521600000);
CREATE TABLE operator_log (
    "entry_id" integer PRIMARY KEY AUTOINCREMENT,
    at bigint NOT NULL,
    operator text,
    action text NOT NULL,
    account text,
    group_id bigint,
    detail text,
    reason text NOT NULL);
INSERT INTO operator_log VALUES(1,1795521600000,'76561202160265731','block','76561202160266260',NULL,NULL,'spam');
CREATE TABLE servers (
    server_id text PRIMARY KEY,
    version text NOT NULL,
    started_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    counters text NOT NULL, stopped_at bigint);
INSERT INTO servers VALUES('web1','0.1.0',1795521600000,1795521600000,'{}',1795521600001);
CREATE TABLE group_game_players (
    group_id bigint NOT NULL REFERENCES groups,
    appid bigint NOT NULL,
    players_max integer NOT NULL,
    corrected_by text,
    at bigint NOT NULL,
    PRIMARY KEY (group_id, appid));
INSERT INTO group_game_players VALUES(1,620,2,'76561202160265731',1795521600000);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('changes',47);
INSERT INTO sqlite_sequence VALUES('groups',3);
INSERT INTO sqlite_sequence VALUES('nights',5);
INSERT INTO sqlite_sequence VALUES('sessions',1);
INSERT INTO sqlite_sequence VALUES('syncs',1);
INSERT INTO sqlite_sequence VALUES('picture_changes',1);
INSERT INTO sqlite_sequence VALUES('webhooks',1);
INSERT INTO sqlite_sequence VALUES('messages',1);
INSERT INTO sqlite_sequence VALUES('operator_log',1);
CREATE INDEX library_changes_by_time ON library_changes (at);
CREATE INDEX sessions_by_person ON sessions (steam_id);
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX used_once_by_end ON used_once (expires_at);
CREATE INDEX groups_by_owner ON groups (owner_steam_id);
CREATE INDEX groups_by_picture ON groups (picture_key);
CREATE INDEX group_members_by_person ON group_members (steam_id, group_id);
CREATE INDEX syncs_by_person ON syncs (steam_id, started_at);
CREATE INDEX syncs_by_time ON syncs (started_at);
CREATE INDEX refreshes_by_turn ON refreshes (priority, next_attempt_at);
CREATE INDEX apps_by_store_turn ON apps (store_due_at);
CREATE INDEX pictures_by_source ON pictures ("source_url");
CREATE INDEX group_members_by_adder ON group_members (added_by) WHERE added_by IS NOT NULL;
CREATE INDEX group_departures_by_person ON group_departures (steam_id, group_id);
CREATE INDEX syncs_by_target ON syncs (target);
CREATE UNIQUE INDEX sessions_by_handover ON sessions (handover_hash);
CREATE INDEX picture_changes_by_person ON picture_changes (steam_id, at);
CREATE INDEX picture_changes_by_time ON picture_changes (at);
CREATE INDEX playtime_months_by_month ON playtime_months (month);
CREATE INDEX nights_by_group ON nights (group_id, starts_at);
CREATE INDEX nights_by_host ON nights (host_steam_id);
CREATE INDEX nights_by_status ON nights (status, starts_at);
CREATE INDEX nights_by_time ON nights (starts_at);
CREATE INDEX night_people_by_person ON night_people (steam_id, night_id);
CREATE INDEX night_people_by_adder ON night_people (added_by) WHERE added_by IS NOT NULL;
CREATE INDEX night_draws_by_drawer ON night_draws (drawn_by) WHERE drawn_by IS NOT NULL;
CREATE INDEX invites_by_creator ON invites (created_by);
CREATE INDEX invites_by_end ON invites (expires_at);
CREATE INDEX webhooks_by_creator ON webhooks (created_by);
CREATE INDEX messages_by_turn ON messages (next_attempt_at);
CREATE INDEX messages_by_webhook ON messages (webhook_id);
CREATE INDEX people_blocked ON people (blocked_at) WHERE blocked_at IS NOT NULL;
CREATE INDEX people_signed_in ON people (signed_in_at) WHERE signed_in_at IS NOT NULL;
CREATE INDEX group_reports_by_person ON group_reports (steam_id);
CREATE INDEX group_reports_by_time ON group_reports (at);
CREATE INDEX operator_log_by_time ON operator_log (at);
CREATE INDEX operator_log_by_operator ON operator_log (operator);
CREATE INDEX operator_log_by_account ON operator_log (account) WHERE account IS NOT NULL;
CREATE INDEX group_game_players_by_person ON group_game_players (corrected_by)
    WHERE corrected_by IS NOT NULL;
COMMIT;
