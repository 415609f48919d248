import { foldedCodes } from "../scan/char-classes.ts";

/**
 * What other scripts write in two ways and the words of `languages/` in one: traditional and simplified
 * characters, the forms of Arabic letters, marks of vowels that are left out as often as written, letters
 * with a stroke. On top of the folding of `char-classes.ts`.
 */
export const scriptFolds = Uint16Array.from(foldedCodes);

/** Traditional, simplified, in pairs: of the characters that the words are made of. */
const PAIRS =
  "無无視视說说對对話话記记錄录規规則则設设開开發发給给請请個个這这樣样來来處处閱阅讀读寫写帳账號号碼码檔档網网關关閉闭轉转郵邮訊讯語语從从將将應应該该讓让議议鑰钥權权許许複复復复過过還还與与為为別别絕绝繞绕繼继續续約约縮缩結结終终組组線线總总執执測测試试體体實实際际學学習习資资訴诉訪访問问題题誰谁課课調调論论證证識识護护譯译變变貼贴買买費费賣卖賬账賴赖質质購购贈赠輸输辦办邊边達达違违選选遺遗釋释錯错鏈链鍵键鎖锁長长門门間间閒闲閣阁隨随隱隐雙双雜杂難难電电靈灵響响頁页項项預预領领顧顾顯显類类驗验驟骤麼么點点當当稱称種种穩稳競竞節节範范糾纠紅红純纯紙纸級级細细経经統统維维緒绪編编締缔縛缚織织聯联聽听職职脫脱腳脚臨临興兴舊旧藍蓝藝艺術术裝装裡里製制見见親亲覺觉觀观觸触計计詢询詳详認认誡诫誤误動动務务勞劳區区單单啟启啓启嗎吗報报場场壓压夠够夢梦奪夺嚴严圖图團团國国園园圍围備备傳传債债傷伤僅仅價价億亿優优兩两剛刚創创劃划劇剧勝胜勢势匯汇協协參参後后徹彻憑凭懲惩戲戏戶户採采換换擇择擊击擋挡據据擴扩擺摆攔拦敗败敘叙數数斷断於于時时會会極极構构標标機机檢检歡欢歷历殺杀毀毁氣气決决況况滿满漢汉潛潜煩烦熱热爾尔狀状獨独獲获現现環环產产畫画療疗監监盡尽確确禮礼禦御離离積积窮穷簡简簽签簾帘籤签剝剥刪删嚇吓帶带幫帮廣广廢废彙汇彈弹擔担擬拟攝摄曉晓曬晒條条棄弃業业槍枪樂乐橋桥檻槛歲岁";

/** Forms of Arabic letters, and Latin letters with a stroke. */
const LETTERS = "أاإاآاٱاىيةهؤوئيđdłløo";

for (const pairs of [PAIRS, LETTERS]) {
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const target = scriptFolds[pairs.charCodeAt(i + 1)] as number;
    scriptFolds[pairs.charCodeAt(i)] = target;
    scriptFolds[pairs.charAt(i).toUpperCase().charCodeAt(0)] = target;
  }
}
/** Arabic vowel marks and the stretch, the Devanagari dot below. */
for (let code = 0x64b; code <= 0x652; code++) scriptFolds[code] = 0;
scriptFolds[0x640] = 0;
scriptFolds[0x93c] = 0;
/** Devanagari letters with the dot in one unit, and its two marks of nasals. */
for (const [from, to] of [
  [0x958, 0x915],
  [0x959, 0x916],
  [0x95a, 0x917],
  [0x95b, 0x91c],
  [0x95c, 0x921],
  [0x95d, 0x922],
  [0x95e, 0x92b],
  [0x901, 0x902],
] as const) {
  scriptFolds[from] = to;
}
export function foldScript(text: string): string {
  let folded = "";
  for (let i = 0; i < text.length; i++) {
    const code = scriptFolds[text.charCodeAt(i)] as number;
    if (code !== 0) folded += String.fromCharCode(code);
  }
  return folded;
}
