/** Top-level domains of countries: X takes a name under them for an address without a scheme. */
export const countryDomains = (
  "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc " +
  "cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd " +
  "ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg " +
  "kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv " +
  "mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa " +
  "sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug " +
  "uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw"
).split(" ")

/** The most used other ones. An address under a rarer one is known by its scheme. */
export const genericDomains = (
  "com org net edu gov mil int info biz name pro mobi tel asia cat jobs travel museum coop aero app dev page xyz " +
  "online site website web store shop blog news tech cloud digital agency studio design art live life world today " +
  "club social media video photography academy education school university company business finance money bank fund " +
  "email link click chat team work tools software systems network solutions services consulting marketing guru " +
  "expert space fun games game health care fit coffee pizza restaurant bar events tickets tours city london paris " +
  "berlin nyc tokyo google youtube africa earth green energy gallery foundation community support help wiki top vip " +
  "win one zone plus press review reviews ventures capital"
).split(" ")
