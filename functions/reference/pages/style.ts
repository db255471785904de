/** The style of all pages, in the page itself: one request shows a page. */
export const STYLE = `
:root{color-scheme:light dark;--canvas:#fff;--sunken:#f6f7f9;--line:#e3e6eb;--text:#14171f;--soft:#475063;--faint:#626b7d;--accent:#4b45d6;--get:#1a5cb8;--post:#0d6b3d;--put:#855000;--delete:#b3241b;--code:#14171f;--on-code:#e9ecf2;--mono:ui-monospace,"SF Mono","Cascadia Mono","Liberation Mono",Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){:root{--canvas:#0b0d11;--sunken:#151920;--line:#242933;--text:#eef0f5;--soft:#b3bac8;--faint:#8e97a8;--accent:#a5a4ff;--get:#85bbff;--post:#6ad79b;--put:#f0bd5c;--delete:#ff958b;--code:#151920;--on-code:#dfe3ea}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--canvas);color:var(--text);font:15px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
a:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
code,pre{font-family:var(--mono);font-size:.87em}
:not(pre)>code{background:var(--sunken);border-radius:4px;padding:.1em .3em;overflow-wrap:anywhere}
pre{background:var(--code);color:var(--on-code);border-radius:8px;margin:.5rem 0 1rem;overflow-x:auto;padding:.8rem 1rem;line-height:1.5}
h1{font-size:1.9rem;letter-spacing:-.02em;line-height:1.2;margin:0 0 .6rem}
h2{border-top:1px solid var(--line);font-size:1.4rem;letter-spacing:-.01em;margin:3rem 0 .6rem;padding-top:2rem}
h3{font-size:1.1rem;margin:2.4rem 0 .3rem}
h4{color:var(--faint);font-size:.8rem;font-weight:600;letter-spacing:.05em;margin:1.2rem 0 .3rem;text-transform:uppercase}
p{margin:.4rem 0 .8rem;max-width:46rem}
.top{align-items:center;border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;padding:.8rem 1.5rem}
.top strong a{color:var(--text)}
.page{display:grid;grid-template-columns:17rem minmax(0,1fr)}
.page>nav{border-right:1px solid var(--line);font-size:.87rem;height:100vh;overflow-y:auto;padding:1.2rem 1.2rem 3rem 1.5rem;position:sticky;top:0}
.page>nav h2{border:0;color:var(--faint);font-size:.75rem;letter-spacing:.05em;margin:1.4rem 0 .3rem;padding:0;text-transform:uppercase}
.page>nav ul{list-style:none;margin:0;padding:0}
.page>nav li a{color:var(--soft);display:block;padding:.16rem 0}
main{margin:0 auto;max-width:60rem;padding:2rem 2rem 6rem;width:100%}
.route{align-items:baseline;display:flex;flex-wrap:wrap;font-family:var(--mono);font-size:.87rem;gap:.6rem;margin:.2rem 0 .6rem;overflow-wrap:anywhere}
.method{border:1px solid currentColor;border-radius:4px;font-size:.72rem;font-weight:700;padding:.05rem .4rem}
.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--put)}.delete{color:var(--delete)}
.fields{border-collapse:collapse;font-size:.9rem;width:100%}
.fields td,.fields th{border-top:1px solid var(--line);padding:.45rem .8rem .45rem 0;text-align:left;vertical-align:top}
.fields th{font-weight:500;width:15rem}
.fields code{background:none;padding:0}
.kind{color:var(--faint);font-size:.82rem}
.must{color:var(--delete);font-size:.75rem;margin-left:.3rem}
details{margin:.3rem 0}
summary{cursor:pointer;color:var(--soft)}
.cards{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(16rem,1fr));list-style:none;margin:1.2rem 0;padding:0}
.cards li{border:1px solid var(--line);border-radius:10px;padding:1rem 1.2rem}
.cards p{color:var(--soft);font-size:.9rem;margin:.3rem 0}
@media (max-width:52rem){.page{display:block}.page>nav{border-bottom:1px solid var(--line);border-right:0;height:auto;max-height:14rem;position:static}main{padding:1.2rem 1rem 4rem}.fields th{width:auto}.fields tr{display:block;border-top:1px solid var(--line);padding:.3rem 0}.fields td,.fields th{border:0;display:block;padding:.1rem 0}}
@media print{.page{display:block}.page>nav,.top{display:none}}
`;
