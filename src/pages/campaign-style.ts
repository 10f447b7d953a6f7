/** The style of the campaign page, besides its colors. It loads no other file and uses system fonts only. */
export const campaignStyle = `
:root{color-scheme:light dark;
  --paper:#f7f6f3;--card:#fff;--ink:#191820;--soft:#605d6b;--line:#e4e1da;
  --accent:var(--light);--accent-ink:#fff;--wash:hsl(var(--hue) calc(var(--strength)*60%) 95%);
  --deep:hsl(var(--hue) calc(var(--strength)*45%) 10%);
  --good:#17643a;--good-wash:#e3f5e9;--bad:#9c2a1c;--bad-wash:#fdeae6}
@media (prefers-color-scheme:dark){:root{
  --paper:#131217;--card:#1d1b23;--ink:#f1eff6;--soft:#a9a5b5;--line:#322f3b;
  --accent:var(--dark);--accent-ink:#15131a;--wash:hsl(var(--hue) calc(var(--strength)*30%) 14%);
  --good:#8fe0ae;--good-wash:#12301f;--bad:#ffb3a6;--bad-wash:#3a1913}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;-webkit-text-size-adjust:100%}
h1,h2,p,ol,ul,dl,dd{margin:0;padding:0}
.wrap{max-width:68rem;margin:0 auto;padding:0 1.25rem}
.hero{position:relative;overflow:hidden;background:var(--deep);color:#fff}
.mosaic,.picture{position:absolute;inset:0;width:100%;height:100%}
.picture{object-fit:cover;font-size:0}
.shade{position:absolute;inset:0;background:linear-gradient(to bottom,color-mix(in srgb,var(--deep) 75%,transparent),transparent 4.5rem),linear-gradient(to top,var(--deep) 40%,color-mix(in srgb,var(--deep) 78%,transparent) 70%,color-mix(in srgb,var(--deep) 10%,transparent))}
.hero .wrap{position:relative;padding-top:1.1rem;padding-bottom:2.2rem}
.top{display:flex;justify-content:space-between;align-items:center;gap:1rem;font-weight:600;min-height:2rem;text-shadow:0 1px 3px #0008}
.top span:first-child{overflow-wrap:anywhere}
.logo{display:block;min-width:0;max-width:12rem;height:2.6rem;padding:.35rem .7rem;object-fit:contain;background:#fff;color:#191820;border-radius:.7rem;font-size:.95rem;line-height:1.9rem;text-shadow:none}
.badge{flex:none;background:#ffd84d;color:#2b2200;border-radius:99px;padding:.15rem .7rem;font-size:.8rem;font-weight:700;text-shadow:none}
.title{padding-top:7.5rem;max-width:36rem}
.pill{display:inline-flex;align-items:center;gap:.5rem;background:#fff;color:#191820;border-radius:99px;padding:.2rem .8rem .2rem .65rem;font-size:.85rem;font-weight:650}
.pill::before{content:"";width:.6rem;height:.6rem;border-radius:50%;background:#8b8794}
.pill.ACTIVE::before{background:#1e9e57}.pill.UPCOMING::before{background:#3b74e0}.pill.PAUSED::before{background:#e09a1b}
h1{font-size:clamp(2.3rem,9vw,4rem);line-height:1.03;letter-spacing:-.035em;font-weight:800;margin:.9rem 0 .8rem;overflow-wrap:anywhere;hyphens:auto;hyphenate-limit-chars:12 5 5;text-wrap:balance}
.lead{font-size:1.12rem;color:#fffd;overflow-wrap:anywhere;white-space:pre-line;text-wrap:pretty}
.facts{display:flex;flex-wrap:wrap;gap:.3rem 1.5rem;margin-top:1.1rem;font-size:.95rem;color:#fffb}
.facts b{color:#fff;font-weight:650}
main.wrap{display:grid;gap:1.25rem;padding-top:1.5rem;padding-bottom:2rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:1.1rem;padding:1.4rem}
h2{font-size:1.25rem;letter-spacing:-.015em;line-height:1.25;margin-bottom:.9rem}
.sub{color:var(--soft);font-size:.95rem}
h2+.sub{margin-top:-.4rem}
.sub+.known{margin-top:1.05rem}
label{display:block;font-weight:600;font-size:.95rem;margin-bottom:.35rem}
.hint{display:block;color:var(--soft);font-size:.85rem;margin-top:.3rem}
.field{margin-bottom:1.05rem}
.known{margin-bottom:1.05rem;padding:.65rem .85rem;border-radius:.7rem;background:var(--wash);overflow-wrap:anywhere}
input{width:100%;min-height:3rem;padding:.55rem .85rem;font:inherit;color:inherit;background:var(--paper);border:1.5px solid var(--line);border-radius:.7rem}
input[name=code]{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;letter-spacing:.04em;text-transform:uppercase}
input::placeholder{color:var(--soft);opacity:.65;text-transform:none}
input:focus-visible,button:focus-visible,a:focus-visible,summary:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
button{width:100%;min-height:3.2rem;border:0;border-radius:.8rem;background:var(--accent);color:var(--accent-ink);font:inherit;font-weight:700;font-size:1.05rem;cursor:pointer}
button{overflow-wrap:anywhere;padding:.5rem .85rem}
button:hover{filter:brightness(1.12)}
.second{margin-top:.7rem;background:transparent;color:var(--accent);border:1.5px solid var(--line)}
.result{border-radius:.8rem;padding:.9rem 1rem;margin-bottom:1.1rem;overflow-wrap:anywhere}
.result b{display:block;font-size:1.12rem;line-height:1.3}
.result.good{background:var(--good-wash);color:var(--good)}
.result.bad{background:var(--bad-wash);color:var(--bad)}
.prizes{list-style:none;display:grid;gap:1.1rem}
.prizes .name{display:flex;justify-content:space-between;gap:1rem;align-items:baseline}
.prizes b{font-size:1.08rem;overflow-wrap:anywhere}
.points{flex:none;font-weight:700;color:var(--accent);font-variant-numeric:tabular-nums}
.left{display:flex;justify-content:space-between;font-size:.9rem;color:var(--soft);margin-top:.3rem}
.gone b,.gone .points{color:var(--soft);font-weight:600}
progress{display:block;width:100%;height:.6rem;margin-top:.5rem;border:0;border-radius:99px;background:var(--wash);overflow:hidden;appearance:none}
progress::-webkit-progress-bar{background:var(--wash)}
progress::-webkit-progress-value{background:var(--accent);border-radius:99px}
progress::-moz-progress-bar{background:var(--accent);border-radius:99px}
.ways{list-style:none}
.ways li{display:flex;justify-content:space-between;gap:1rem;padding:.65rem 0;border-top:1px solid var(--line)}
.ways li:first-child{border-top:0;padding-top:0}.ways li:last-child{padding-bottom:0}
.ways span:first-child{overflow-wrap:anywhere}
.board{list-style:none}
.board li{display:grid;grid-template-columns:2.2rem 1fr auto;gap:.6rem;align-items:center;padding:.55rem 0;border-top:1px solid var(--line)}
.board li:first-child{border-top:0;padding-top:0}.board li:last-child{padding-bottom:0}
.rank{width:2rem;height:2rem;display:grid;place-items:center;border-radius:50%;font-weight:700;font-size:.9rem;color:var(--soft);font-variant-numeric:tabular-nums}
.board li:nth-child(-n+3) .rank{background:var(--wash);color:var(--accent)}
.who{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
footer{display:grid;gap:.6rem;color:var(--soft);font-size:.85rem;padding-bottom:2.5rem;overflow-wrap:anywhere}
footer a,summary{color:var(--accent);font-weight:600}
summary{width:fit-content;cursor:pointer}
.terms p{max-width:44rem;padding-top:.6rem;white-space:pre-line}
.notice{min-height:100vh;min-height:100svh;display:grid;align-items:end}
.hero.notice .wrap{width:100%;padding-top:8rem;padding-bottom:clamp(3rem,12vh,7rem)}
.notice .code{font-size:.95rem;font-weight:650;letter-spacing:.08em;color:#fffb}
.notice h1{font-size:clamp(2.3rem,8vw,4.2rem);max-width:14ch}
.notice .lead{max-width:34rem}
.notice .lead a{color:#fff;font-weight:650;text-underline-offset:.2em}
.hero.notice .shade{background:linear-gradient(to top,var(--deep) 42%,color-mix(in srgb,var(--deep) 82%,transparent) 66%,transparent)}
@media (min-width:56rem){
  .hero .wrap{padding-top:1.5rem;padding-bottom:3.2rem}
  .title{padding-top:6rem}
  .shade{background:linear-gradient(to right,var(--deep) 34%,color-mix(in srgb,var(--deep) 90%,transparent) 54%,color-mix(in srgb,var(--deep) 5%,transparent) 86%)}
  main.wrap{grid-template-columns:minmax(0,1fr) 23.5rem;align-items:start;gap:1.5rem;padding-top:2rem}
  .side{grid-column:2;grid-row:1;position:sticky;top:1.5rem}
  .body{grid-column:1;grid-row:1}
  .card{padding:1.7rem}
  .lead{font-size:1.2rem}
}
.body{display:grid;gap:1.25rem;min-width:0}
@media (prefers-reduced-motion:no-preference){.result{animation:in .3s ease-out}@keyframes in{from{opacity:0;transform:translateY(-.4rem)}}}
`
