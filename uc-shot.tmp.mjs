import { chromium } from 'playwright-core'
const base = process.argv[2], out='/tmp/uc-shots'
import { mkdirSync } from 'node:fs'; mkdirSync(out,{recursive:true})
const b = await chromium.launch({executablePath: process.env.CHROMIUM_PATH, args:['--no-sandbox']})
const sizes = [[390,844],[1280,800],[2560,1440]]
const ctx = await b.newContext({reducedMotion:'reduce'})
const p = await ctx.newPage()
await p.goto(base+'/login'); await p.getByRole('button',{name:'Sign in with Steam'}).click()
await p.waitForLoadState()
const names = await p.locator('li button').allTextContents()
console.log(names.length, names.slice(0,14).map(n=>n.trim().replace(/\s+/g,' ').slice(0,70)))
const who = process.argv[3] ?? '165'
await p.getByRole('listitem').filter({hasText: new RegExp(who)}).filter({visible:true}).first().getByRole('button').click()
await p.waitForURL('**/dashboard'); await p.waitForTimeout(3500)
const shot = async (n, full=true)=>{ for (const [w,h] of sizes){ await p.setViewportSize({width:w,height:h}); await p.waitForTimeout(400); await p.screenshot({path:`${out}/${n}-${w}.png`, fullPage: full && w<2000}) } }
await shot('1-first')
await p.setViewportSize({width:1280,height:800})
const chips = p.getByRole('group',{name:'Who is playing tonight?'}).getByRole('button')
if (await chips.count()) { for (let i=0;i<Math.min(4,await chips.count());i++) await chips.nth(i).click(); await shot('2-chosen',false)
await p.setViewportSize({width:1280,height:800}); await p.getByRole('button',{name:'See what we can play'}).click(); await p.waitForTimeout(2500); await shot('3-answer') }
await p.setViewportSize({width:1280,height:800}); await p.getByRole('button',{name:'Create group',exact:true}).click(); await p.waitForTimeout(300); await shot('4-wizard')
for (const path of ['my_games','friends','account']) { await p.goto(base+'/'+path); await p.waitForTimeout(1500); await shot('5-'+path,false) }
await b.close()
