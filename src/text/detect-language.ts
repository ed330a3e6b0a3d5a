import type { Language } from '../config/names'

/** Frequent characters that exist in only one of the two Chinese scripts. */
const SIMPLIFIED =
  /[们这为说时会对过还没问题东车长门间开关话请让应该发设实现业种级备单处费优户账号码网络页价钱给从么数档饭据个国学经动进样头无书见气电机两体点员图报记论语读写视频讯软终线结统组织细绍续维编缩选连远适达边运乐买卖产亲亿仅传伤储兴养决况减击创删办务劳区医华协卫厂历县参双变听启响团园围场块坏声够妈宝审宽导尽层岁币师带帮广库张强归录忆怀态总执扩护担择换损断旧显术权条来极构标树检楼欢汇汉汤济浏测湾满灯热爱独猫环画疗监盘确离积称稳竞笔签简类紧约红纪纯纸练绝绿罗罚职联胜脑脸节药营虑虽补装规觉览触计订认讨训议许访证评识诉译试询详误调谁谈谢货质购贵资赛转轮轻载输辑错银链销锁闭阅阶际险随难预领颜额风飞馆验鱼龄]/gu
const TRADITIONAL =
  /[們這為說時會對過還沒問題東車長門間開關話請讓應該發設實現業種級備單處費優戶帳號碼網絡頁價錢給從麼數檔飯據個國學經動進樣頭無書見氣電機兩體點員圖報記論語讀寫視頻訊軟終線結統組織細紹續維編縮選連遠適達邊運樂買賣產親億僅傳傷儲興養決況減擊創刪辦務勞區醫華協衛廠歷縣參雙變聽啟響團園圍場塊壞聲夠媽寶審寬導盡層歲幣師帶幫廣庫張強歸錄憶懷態總執擴護擔擇換損斷舊顯術權條來極構標樹檢樓歡匯漢湯濟瀏測灣滿燈熱愛獨貓環畫療監盤確離積稱穩競筆簽簡類緊約紅紀純紙練絕綠羅罰職聯勝腦臉節藥營慮雖補裝規覺覽觸計訂認討訓議許訪證評識訴譯試詢詳誤調誰談謝貨質購貴資賽轉輪輕載輸輯錯銀鏈銷鎖閉閱階際險隨難預領顏額風飛館驗魚齡]/gu
const FUNCTION_WORDS: Record<'en' | 'es' | 'fr' | 'other', RegExp> = {
  en: /\b(?:the|is|are|was|were|of|and|to|in|what|how|who|when|where|which|why|do|does|did|can|could|i|my|you|your|it|that|this|with|for|on|have|has|not|me|please|tell|about|if|an?)\b/gu,
  es: /(?<![\p{L}])(?:el|la|los|las|de|del|que|qué|y|en|es|son|fue|un|una|por|para|con|cómo|cuál|cuáles|cuándo|cuánto|cuánta|cuántos|cuántas|dónde|quién|se|su|mi|mis|no|lo|al|puedo|tiene|hay|está|como|hola|gracias)(?![\p{L}])/gu,
  fr: /(?<![\p{L}])(?:le|la|les|des|du|de|et|est|sont|un|une|que|qui|quoi|quel|quelle|quels|quelles|dans|pour|sur|avec|comment|combien|quand|où|pourquoi|je|mon|ma|mes|vous|votre|il|elle|ce|cette|au|aux|ne|pas|puis-je|peut|en|bonjour|merci|à|a-t-il|y)(?![\p{L}])/gu,
  other:
    /(?<![\p{L}])(?:der|die|das|und|ist|nicht|wie|wer|wann|wo|ein|eine|ich|mit|für|auf|wird|werden|wurde|il|che|di|per|sono|non|è|della|come|quando|dove|ho|você|não|uma|os|as|do|da|em|é|quem|onde|quantos|het|een|van|wat|niet|hoe|en|ve|bir|bu|ne|için|nasıl|kim|mi|mı|kaç|hangi|nedir|jest|nie|się|jak|co|czy)(?![\p{L}])/gu,
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/**
 * The language of a text by script and function words, or null when it is none of ours or too short to tell.
 * Reads the first 2,000 characters.
 */
export function detectLanguage(source: string): Language | null {
  const text = source.slice(0, 2000).toLowerCase()
  const letters = count(text, /\p{L}/gu)
  if (letters === 0) return null
  const share = (pattern: RegExp) => count(text, pattern) / letters
  if (share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) > 0.1) return null
  if (share(/\p{Script=Han}/gu) > 0.2)
    return count(text, TRADITIONAL) > count(text, SIMPLIFIED) ? 'zh-TW' : 'zh'
  // A name in Latin letters may be longer than the question about it; a language is told by more than names.
  const latin = detectLatin(text)
  const least = latin === null && countForeign(text) === 0 ? 0.2 : 0.5
  if (share(/\p{Script=Cyrillic}/gu) > least) return /[іїєґў]/u.test(text) ? null : 'ru'
  if (share(/\p{Script=Arabic}/gu) > least) return /[پچژگںٹڈے]/u.test(text) ? null : 'ar'
  return latin
}

/** How much tells of a Latin language that is none of ours. */
const countForeign = (text: string): number =>
  count(text, FUNCTION_WORDS.other) + count(text, /[ßäğışłąęãõ]/gu)

function detectLatin(text: string): Language | null {
  const scores = {
    en: count(text, FUNCTION_WORDS.en),
    es: count(text, FUNCTION_WORDS.es) + count(text, /[¿¡ñ]/gu),
    fr: count(text, FUNCTION_WORDS.fr) + count(text, /\b[dlcjnsm]['’]|qu['’]|[çêœ]/gu),
    other: countForeign(text),
  }
  const best = Math.max(...Object.values(scores))
  if (best === 0) return null
  const winners = (['en', 'es', 'fr', 'other'] as const).filter((name) => scores[name] === best)
  const [winner] = winners
  return winners.length > 1 || winner === undefined || winner === 'other' ? null : winner
}

/** Whether two languages read alike: the two Chinese scripts count as one here. */
export function sameLanguage(one: Language | null, other: Language | null): boolean {
  const base = (language: Language | null) => (language === 'zh-TW' ? 'zh' : language)
  return one !== null && base(one) === base(other)
}
