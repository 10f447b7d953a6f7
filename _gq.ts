import { execute, parse } from 'graphql'
import { createRequire } from 'node:module'
const require = createRequire('/work/main/package.json')
const { schema } = await import('/work/main/src/schema.ts') as any
const { games } = await import('/work/main/src/rest/v1/games.ts') as any
const { takeTemplate } = await import('/work/main/src/rest/input-template.ts') as any
const { answerOf } = await import('/work/main/src/rest/directives.ts') as any
const route = games[2]
console.log(Object.keys(route))
const s = schema ?? (await import('/work/main/src/schema.ts') as any).default
const { document, template } = takeTemplate(s, route.operation)
const user={id:'0194c1c2-0000-7000-8000-00000000abc1',externalId:'u1',balance:100n,partnerId:'p',environment:'TEST'}
const entry={id:'0194c1c2-0000-7000-8000-00000000abc1',balanceAfter:90n,points:-10,user}
const play={id:'0194c1c2-0000-7000-8000-00000000abc1',gameType:'NEON_WHEEL',pointsSpent:10,outcome:{winningSegment:3,spinAngle:12.3},playedAt:new Date(),rewardTier:'common',rewardType:'points',rewardValue:5,rewardLabel:'x',environment:'TEST',user,ledgerEntry:entry}
const mk=()=>({callers:{public:{kind:'public',partnerId:'p',environment:'TEST'}},config:{masterKeys:[]},write:async()=>({play,user}),read:async()=>user})
const values={userId:'u1',gameType:'NEON_WHEEL'}
const run=()=>execute({schema:s,document,variableValues:{input:template.fill(values)},contextValue:mk()}) as any
console.log(JSON.stringify(await run()))
const { compileQuery } = require("graphql-jit"); let t0=performance.now(); const c=compileQuery(s, document, undefined, {}) as any; console.log("compile ms", performance.now()-t0); const runJ=()=>c.query({}, mk(), {input:template.fill(values)}); console.log(JSON.stringify(await runJ()))
const N=20000
for(let r=0;r<4;r++){
 var t=process.cpuUsage();for(let i=0;i<N;i++)await run();var u=process.cpuUsage(t);console.log('execute',((u.user+u.system)/N).toFixed(1),'us')
t=process.cpuUsage();for(let i=0;i<N;i++)await runJ();u=process.cpuUsage(t);console.log("jit",((u.user+u.system)/N).toFixed(1),"us")
 const {data}=await run();t=process.cpuUsage();for(let i=0;i<N;i++)answerOf(data,route.shape,route.optional);u=process.cpuUsage(t);console.log('answerOf',((u.user+u.system)/N).toFixed(1),'us')
}
