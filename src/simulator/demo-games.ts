/**
 * Well-known games for the demo world, the most owned first: appid, flags, title. The flags:
 *
 * - `S` single-player, `W` massively multiplayer, `X` cross-platform
 * - `o` online co-op, `p` online PvP
 * - `l` shared screen co-op, `v` shared screen PvP
 * - `L` LAN co-op, `N` LAN PvP
 * - `R` Remote Play Together
 * - `F` free to play, `D` mature content, `U` profile features limited
 */
import { createHash } from 'node:crypto'
import type { App } from './world.ts'

const GAMES = `
730 pXFD Counter-Strike 2
570 opF Dota 2
440 opXF Team Fortress 2
550 SopLlD Left 4 Dead 2
4000 SopXLN Garry's Mod
105600 SopLNX Terraria
620 SolRX Portal 2
271590 SopD Grand Theft Auto V Legacy
413150 SolLR Stardew Valley
252490 opD Rust
945360 opXN Among Us
578080 pFD PUBG: BATTLEGROUNDS
892970 SoX Valheim
1172470 opXF Apex Legends™
218620 SoD PAYDAY 2
292030 SD The Witcher® 3: Wild Hunt
400 S Portal
359550 SopXD Tom Clancy's Rainbow Six® Siege
1245620 SopD ELDEN RING
548430 SoX Deep Rock Galactic
1086940 SolLXD Baldur's Gate 3
381210 pXD Dead by Daylight
230410 SopXFD Warframe
1091500 SD Cyberpunk 2077
252950 SopvlXF Rocket League®
322330 SoLX Don't Starve Together
489830 SD The Elder Scrolls V: Skyrim Special Edition
739630 SoX Phasmophobia
242760 SoD The Forest
227300 SoX Euro Truck Simulator 2
1966720 SoD Lethal Company
72850 SD The Elder Scrolls V: Skyrim
8930 SopLNvl Sid Meier's Civilization® V
431960 - Wallpaper Engine
289070 SopXv Sid Meier's Civilization VI
367520 S Hollow Knight
346110 SopXLND ARK: Survival Evolved
632360 SoX Risk of Rain 2
49520 SolLD Borderlands 2
291550 SopvlXF Brawlhalla
553850 oXD HELLDIVERS™ 2
427520 SopLNX Factorio
1085660 SopXFD Destiny 2
377160 SD Fallout 4
220 SD Half-Life 2
1145360 SD Hades
374320 SopD DARK SOULS™ III
1426210 olRD It Takes Two
236390 SopWXF War Thunder
1174180 SopD Red Dead Redemption 2
304930 SopXFLN Unturned
526870 SoX Satisfactory
391540 S Undertale
221100 pD DayZ
275850 SopX No Man's Sky
582010 SoD Monster Hunter: World
108600 SolD Project Zomboid
477160 SopvlR Human Fall Flat
238960 SopWFD Path of Exile
10 pND Counter-Strike
240 pXND Counter-Strike: Source
251570 SolXD 7 Days to Die
1794680 SlD Vampire Survivors
250900 SlRD The Binding of Isaac: Rebirth
1097150 opXF Fall Guys
728880 SopvlXR Overcooked! 2
268910 SlR Cuphead
648800 SoX Raft
1623730 SoX Palworld
264710 S Subnautica
204360 SopvlR Castle Crashers®
294100 SD RimWorld
255710 S Cities: Skylines
107410 SopLND Arma 3
281990 SopX Stellaris
394360 SopX Hearts of Iron IV
438100 SopXF VRChat
646570 S Slay the Spire
22380 SD Fallout: New Vegas
8870 SD BioShock Infinite
239140 SopD Dying Light
232090 SopD Killing Floor 2
1293830 SopX Forza Horizon 4
1551360 SopX Forza Horizon 5
1172620 opXD Sea of Thieves: 2024 Edition
1326470 SoD Sons Of The Forest
286160 SopvlXR Tabletop Simulator
211820 SoXLN Starbound
435150 SopvlD Divinity: Original Sin 2
379720 SpD DOOM
782330 SpD DOOM Eternal
1237970 SopD Titanfall® 2
976730 SopvlXD Halo: The Master Chief Collection
1240440 SopvXF Halo Infinite
203160 SpD Tomb Raider
700330 pXF SCP: Secret Laboratory
552500 SoD Warhammer: Vermintide 2
2379780 S Balatro
588650 SD Dead Cells
504230 S Celeste
674940 pvlR Stick Fight: The Game
285900 pvXR Gang Beasts
238460 SopvlR BattleBlock Theater®
1203220 opXF NARAKA: BLADEPOINT
1144200 SopD Ready or Not
594650 opXD Hunt: Showdown 1896
393380 pD Squad
686810 pXD Hell Let Loose
581320 opXD Insurgency: Sandstorm
1716740 SD Starfield
990080 SD Hogwarts Legacy
814380 SD Sekiro™: Shadows Die Twice
960090 SoX Bloons TD 6
322170 S Geometry Dash
444090 opXF Paladins®
386360 opXF SMITE®
1063730 opWX New World: Aeternum
39210 SopWX FINAL FANTASY XIV Online
306130 opWX The Elder Scrolls® Online
1599340 opWF Lost Ark
582660 opWD Black Desert
761890 opWXF Albion Online
552990 opWF World of Warships
1407200 opWF World of Tanks
70 SpND Half-Life
546560 SD Half-Life: Alyx
500 SopLD Left 4 Dead
1250 SoD Killing Floor
219740 S Don't Starve
284160 S BeamNG.drive
433340 S Slime Rancher
457140 S Oxygen Not Included
220200 S Kerbal Space Program
361420 SoX ASTRONEER
1604030 SopD V Rising
1361210 SoXD Warhammer 40,000: Darktide
2183900 SopXD Warhammer 40,000: Space Marine 2
962130 SoX Grounded
1203620 SoD Enshrouded
2881650 oD Content Warning
1868140 SD DAVE THE DIVER
1313140 SlD Cult of the Lamb
753640 S Outer Wilds
1092790 SD Inscryption
632470 SD Disco Elysium
524220 SD NieR:Automata™
319630 SD Life is Strange™
304430 SD INSIDE
424840 SD Little Nightmares
383870 SD Firewatch
1332010 S Stray
1593500 SD God of War
1151640 SD Horizon Zero Dawn™ Complete Edition
1817070 SD Marvel’s Spider-Man Remastered
1888930 SD The Last of Us™ Part I
1222140 SD Detroit: Become Human
883710 SD Resident Evil 2
952060 SD Resident Evil 3
418370 SD Resident Evil 7 Biohazard
1196590 SD Resident Evil Village
2050650 SD Resident Evil 4
601150 SoD Devil May Cry 5
287700 SpD METAL GEAR SOLID V: THE PHANTOM PAIN
208650 SD Batman™: Arkham Knight
35140 SD Batman: Arkham Asylum GOTY Edition
200260 SD Batman: Arkham City GOTY
391220 SoD Rise of the Tomb Raider™
241930 SD Middle-earth™: Shadow of Mordor™
356190 SD Middle-earth™: Shadow of War™
205100 SD Dishonored
403640 SD Dishonored 2
412020 SD Metro Exodus
234140 SD Mad Max
225540 SD Just Cause™ 3
214490 SD Alien: Isolation
238320 SD Outlast
1304930 SoXD The Outlast Trials
220240 SopD Far Cry® 3
298110 SopD Far Cry® 4
552520 SopD Far Cry® 5
242050 SpD Assassin’s Creed® IV Black Flag™
582160 SD Assassin's Creed® Origins
812140 SD Assassin's Creed® Odyssey
289650 SoD Assassin's Creed® Unity
447040 SopD Watch_Dogs® 2
304390 SopXD FOR HONOR™
460930 SopD Tom Clancy's Ghost Recon® Wildlands
365590 SopD Tom Clancy’s The Division™
397540 SolXD Borderlands 3
261550 SopD Mount & Blade II: Bannerlord
48700 SpND Mount & Blade: Warband
203770 Sp Crusader Kings II
1158310 SpX Crusader Kings III
236850 SpX Europa Universalis IV
813780 SopXLN Age of Empires II: Definitive Edition
1466860 SopX Age of Empires IV: Anniversary Edition
231430 SopXD Company of Heroes 2
268500 SpXD XCOM® 2
594570 Sop Total War: WARHAMMER II
1142710 Sop Total War: WARHAMMER III
779340 Sop Total War: THREE KINGDOMS
201270 SopD Total War: SHOGUN 2
466560 SopXLN Northgard
323190 SD Frostpunk
262060 SD Darkest Dungeon®
212680 S FTL: Faster Than Light
233450 SpXD Prison Architect
493340 S Planet Coaster
703080 S Planet Zoo
949230 S Cities: Skylines II
1363080 SD Manor Lords
1366540 S Dyson Sphere Program
244850 SopX Space Engineers
387990 SopX Scrap Mechanic
359320 SopWX Elite Dangerous
233860 SD Kenshi
305620 SD The Long Dark
815370 SoD Green Hell
848450 S Subnautica: Below Zero
440900 SopD Conan Exiles
513710 SopD SCUM
376210 pD The Isle
518790 SopX theHunter: Call of the Wild™
270880 SoX American Truck Simulator
244210 Sp Assetto Corsa
635260 SpXF CarX Drift Racing Online
787860 SoX Farming Simulator 19
1248130 SoX Farming Simulator 22
646910 SopWX The Crew™ 2
1222680 SopX Need for Speed™ Heat
311690 SlRD Enter the Gungeon
274190 SopvlRD Broforce
219150 SD Hotline Miami
274170 SD Hotline Miami 2: Wrong Number
460950 SD Katana ZERO
881100 SD Noita
1942280 SlR Brotato
1217060 SoD Gunfire Reborn
1282100 SoXD REMNANT II
219990 SopLD Grim Dawn
899770 SopD Last Epoch
2694490 SopXD Path of Exile 2
431240 SpvXR Golf With Your Friends
1274570 oD DEVOUR
602960 SopXLND Barotrauma
671860 opX BattleBit Remastered
629760 pXD MORDHAU
219640 pD Chivalry: Medieval Warfare
924970 SopXD Back 4 Blood
1272080 oXD PAYDAY 3
493520 SoD GTFO
389730 SpvD TEKKEN 7
1384160 SpvX GUILTY GEAR -STRIVE-
678950 Spv DRAGON BALL FighterZ
976310 SpvXD Mortal Kombat 11
1687950 SD Persona 5 Royal
1113000 SD Persona 4 Golden
638970 SvD Yakuza 0
239030 SD Papers, Please
282070 SD This War of Mine
206440 S To the Moon
698780 SFD Doki Doki Literature Club
1289310 SF Helltaker
240720 S Getting Over It with Bennett Foddy
265930 SlR Goat Simulator
620980 SpX Beat Saber
250820 FU SteamVR
365670 FU Blender
1533390 opXFU Gorilla Tag
3146520 oU WEBFISHING
2835570 SopUD Buckshot Roulette
1943950 SoUD Escape the Backrooms
2399830 SopXD ARK: Survival Ascended
2358720 SD Black Myth: Wukong
1643320 SD S.T.A.L.K.E.R. 2: Heart of Chornobyl
1145350 SUD Hades II
`

export const SINGLE_PLAYER = 2
export const MULTI_PLAYER = 1
export const CO_OP = 9
const PVP = 49
const SHARED_SCREEN = 24
const SOFTWARE = 6

/** Player categories of the store, by flag. */
const CATEGORIES: Record<string, readonly number[]> = {
  S: [SINGLE_PLAYER],
  W: [MULTI_PLAYER, 20],
  X: [27],
  o: [MULTI_PLAYER, CO_OP, 38],
  p: [MULTI_PLAYER, PVP, 36],
  l: [MULTI_PLAYER, CO_OP, SHARED_SCREEN, 39],
  v: [MULTI_PLAYER, PVP, SHARED_SCREEN, 37],
  L: [MULTI_PLAYER, CO_OP, 48],
  N: [MULTI_PLAYER, PVP, 47],
  R: [44],
}
const SOFTWARE_APPIDS = [431960, 250820, 365670]

/** The well-known games, in the order above; their icon hashes are invented. */
export function knownGames(): App[] {
  return GAMES.trim()
    .split('\n')
    .map((line) => {
      const [, appid, flags, name] = /^(\d+) (\S+) (.+)$/.exec(line)!
      return knownGame(Number(appid), [...flags!], name!)
    })
}

function knownGame(appid: number, flags: string[], name: string): App {
  const categories = new Set(flags.flatMap((flag) => CATEGORIES[flag] ?? []))
  return {
    appid,
    name,
    iconHash: iconHashOf(appid),
    kind: SOFTWARE_APPIDS.includes(appid) ? SOFTWARE : 0,
    categories: [...categories].sort((one, other) => one - other),
    ...(flags.includes('F') && { free: true }),
    ...(flags.includes('U') && { unvetted: true }),
    ...(flags.includes('D') && { descriptors: [2, 5] }),
  }
}

/** An invented icon hash. */
export function iconHashOf(appid: number): string {
  return createHash('sha1').update(`icon ${appid}`).digest('hex')
}
