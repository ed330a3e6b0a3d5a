import { describe, expect, it } from 'vitest'
import { judged } from '../../support/judged'

describe('figures that are said in another way', () => {
  it.each([
    ['The course lasts six weeks.', 'The course lasts 42 days.'],
    ['Groups must book at least two weeks ahead.', 'Groups must book at least a fortnight ahead.'],
    ['The lesson takes 90 minutes.', 'The lesson takes one and a half hours.'],
    ['The heater draws 1.5 kW.', 'The heater draws 1500 W.'],
    ['The syrup contains 250 mg of salt.', 'The syrup contains 0.25 g of salt.'],
    ['Roughly a fifth of the lake is frozen.', 'Roughly 20 % of the lake is frozen.'],
    ['Drei Viertel der Sitze sind belegt.', '75 % der Sitze sind belegt.'],
    ['Половина мест занята.', '50 % мест занято.'],
    ['九成的座位已经售出。', '90%的座位已经售出。'],
    ['費用の4割を県が負担する。', '費用の40%を県が負担する。'],
    ['The lesson takes 90 minutes.', 'The lesson takes 1.5 hours.'],
    ['The lesson takes 90 minutes.', 'The lesson takes 1 hour 30 minutes.'],
    ['The shuttle runs every 30 minutes.', 'The shuttle runs every half an hour.'],
    ['The upload limit is 2 GB.', 'The upload limit is 2000 MB.'],
    ['The upload limit is 2 GB.', 'The upload limit is 2048 MB.'],
    ['The doors open at 18:30.', 'The doors open at half past six in the evening.'],
    ['The doors open at 6:30 pm.', 'The doors open at 18:30.'],
    ['The doors open at 6.30 pm.', 'The doors open at 18:30.'],
    ['The desk is open from 2 to 5 pm.', 'The desk is open from 14:00 to 17:00.'],
    ['Die Türen öffnen um 18.30 Uhr.', 'Die Türen öffnen um halb sieben abends.'],
    ['Der Kurs hat 25 Plätze.', 'Der Kurs hat fünfundzwanzig Plätze.'],
    ['La salle ferme à 18 h 30.', 'La salle ferme à 18:30.'],
    [
      'Les salles de lecture ferment à 18h30 le samedi et le dimanche.',
      'Les salles de lecture ferment à six heures et demie du soir le samedi et le dimanche.',
    ],
    [
      'Le musée de la ville expose 96 tableaux et dessins.',
      'Le musée de la ville expose quatre-vingt-seize tableaux et dessins.',
    ],
    [
      'La visita de la torre dura 22 minutos en los domingos.',
      'La visita de la torre dura veintidós minutos en los domingos.',
    ],
    ['Матч начинается в 18:30.', 'Матч начинается в половине седьмого вечера.'],
    ['Экскурсия длится 30 минут.', 'Экскурсия длится полчаса.'],
    [
      "Martı vapurları her gün saat 07.30'da iskeleden kalkar.",
      'Martı vapurları her gün sabah yedi buçukta iskeleden kalkar.',
    ],
    ['商店每天19:30关门。', '商店每天晚上七点半关门。'],
    ['店は19:00に閉まります。', '店は夜7時に閉まります。'],
    ['تستمر الدورة ستة أسابيع.', 'تستمر الدورة 42 يومًا.'],
    ['The pump is checked once a day.', 'The pump is checked every 24 hours.'],
    ['The timeout of the pump is 500 ms.', 'The timeout of the pump is half a second.'],
    ['El archivo se guarda durante un día.', 'El archivo se guarda durante 24 horas.'],
    ['Катер можно вернуть за сутки до срока.', 'Катер можно вернуть за 24 часа до срока.'],
    ['船票可以在开船前24小时免费退。', '船票可以在开船前一天免费退。'],
    ['يفتح المسبح من السادسة صباحًا.', 'يفتح المسبح من 6 صباحًا.'],
    ['The hall costs 12500.50 dollars a year.', 'The hall costs 12,500.50 dollars a year.'],
    ['Die Miete beträgt 12.500,50 € im Jahr.', 'Die Miete beträgt 12500,50 € im Jahr.'],
    ['Le loyer est de 12\u202f500,50 € par an.', 'Le loyer est de 12500,50 € par an.'],
    ['Аренда зала стоит 12\u2009500 рублей.', 'Аренда зала стоит 12500 рублей.'],
    ['Die Miete beträgt 12’500.50 Franken.', 'Die Miete beträgt 12500.50 Franken.'],
    ['تبلغ الأجرة ١٢٬٥٠٠٫٥٠ ريالًا.', 'تبلغ الأجرة 12500.50 ريالًا.'],
    ['يصل الطلب خلال ٣ أيام عمل.', 'يصل الطلب خلال 3 أيام عمل.'],
    ['疫苗应在5℃保存。', '疫苗应在5°C保存。'],
    ['The hall has 25 m2 of floor.', 'The hall has 25 m² of floor.'],
    ['The hall has 25 ㎡ of floor.', 'The hall has 25 m² of floor.'],
    ['The hall has 25 square metres of floor.', 'The hall has 25 m² of floor.'],
    ['The hall has 25 sq m of floor.', 'The hall has 25 m2 of floor.'],
    ['The hall has 25 square feet of floor.', 'The hall has 25 ft² of floor.'],
    ['The tank holds 3 cubic metres of water.', 'The tank holds 3 m³ of water.'],
    ['Der Saal hat 25 Quadratmeter Fläche.', 'Der Saal hat 25 m² Fläche.'],
    ['La sala tiene 25 metros cuadrados de suelo.', 'La sala tiene 25 m2 de suelo.'],
    ['La salle fait 25 mètres carrés au sol.', 'La salle fait 25 m² au sol.'],
    ['Площадь зала 25 квадратных метров.', 'Площадь зала 25 м².'],
    ['Площадь зала 25 кв. м.', 'Площадь зала 25 м2.'],
    ['大厅的面积是25平方米。', '大厅的面积是25㎡。'],
    ['ホールの面積は25平方メートルです。', 'ホールの面積は25㎡です。'],
    ['مساحة القاعة 25 مترًا مربعًا.', 'مساحة القاعة 25 م².'],
    ['Salonun alanı 25 metrekaredir.', 'Salonun alanı 25 metrekaredir.'],
    ['Salonun alanı 25 metrekare olarak ölçüldü.', 'Salonun alanı 25 m² olarak ölçüldü.'],
    ['The membership lasts two years.', 'The member\u00adship lasts two\u200b years.'],
    ['The meter shows the CO₂ of the hall.', 'The meter shows the CO2 of the hall.'],
  ])('do not fall: %s %s', (said, claim) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, claim)).not.toBe('falls')
    expect(judged(claim, said)).not.toBe('falls')
  })

  it.each([
    ['The course lasts six weeks.', 'The course lasts 40 days.'],
    ['The syrup contains 250 mg of salt.', 'The syrup contains 250 µg of salt.'],
    ['The heater draws 2 kW.', 'The heater draws 2 W.'],
    ['Печь потребляет 2 кВт·ч в сутки.', 'Печь потребляет 2 Вт·ч в сутки.'],
    ['Rund zwei Drittel der Sitze sind belegt.', 'Rund ein Drittel der Sitze ist belegt.'],
    ['The share rose by 3 percentage points.', 'The share rose by 3 percent.'],
    ['The lesson takes 90 minutes.', 'The lesson takes two and a half hours.'],
    ['The upload limit is 2 GB.', 'The upload limit is 200 MB.'],
    ['The doors open at 18:30.', 'The doors open at half past seven in the evening.'],
    ['The doors open at 6:30 pm.', 'The doors open at 19:30.'],
    ['Die Türen öffnen um 18.30 Uhr.', 'Die Türen öffnen um halb acht abends.'],
    ['La salle ferme à 18 h 30.', 'La salle ferme à 18:45.'],
    ['商店每天19:30关门。', '商店每天晚上八点半关门。'],
    ['تستمر الدورة ستة أسابيع.', 'تستمر الدورة 35 يومًا.'],
    ['The hall costs 12500.50 dollars a year.', 'The hall costs 12,500.60 dollars a year.'],
    ['The hall costs 12500 dollars a year.', 'The hall costs 125,00 dollars a year.'],
    ['The hall has 25 m2 of floor.', 'The hall has 26 m² of floor.'],
    ['The hall has 25 m2 of floor.', 'The hall has 25 m of floor.'],
    ['The hall has 25 m² of floor.', 'The hall has 25 m of floor.'],
    ['The hall has 25 m of floor.', 'The hall has 25 m² of floor.'],
    ['The hall has 25 m² of floor.', 'The hall has 25 m³ of floor.'],
    ['The forest covers 25 km² of land.', 'The forest covers 25 km of land.'],
    ['The hall has 25 square metres of floor.', 'The hall has 25 metres of floor.'],
    ['Der Saal hat 25 Quadratmeter Fläche.', 'Der Saal hat 25 Meter Fläche.'],
    [
      'Todas las salas tienen 25 metros cuadrados de suelo.',
      'Todas las salas tienen 25 metros de suelo.',
    ],
    ['Площадь зала 25 квадратных метров.', 'Площадь зала 25 метров.'],
    ['大厅的面积是25平方米。', '大厅的面积是25米。'],
    ['مساحة القاعة 25 مترًا مربعًا.', 'مساحة القاعة 25 مترًا.'],
    ['يصل الطلب خلال ٣ أيام عمل.', 'يصل الطلب خلال 5 أيام عمل.'],
    ['疫苗应在5℃保存。', '疫苗应在8°C保存。'],
  ])('fall where they say another value: %s %s', (said, claim) => {
    expect(judged(said, claim)).toBe('falls')
  })

  it('are open where they can be worked out', () => {
    expect(judged('Eight of 200 guests are late.', '4 % of the guests are late.')).toBe('open')
    expect(judged('Eight of 200 guests are late.', '6 % of the guests are late.')).toBe('falls')
    const said = 'The share of late guests fell from 8.1 to 7.6 %.'
    expect(judged(said, 'The share of late guests fell by half a percentage point.')).toBe('open')
    expect(judged(said, 'The share of late guests fell by 0.4 percentage points.')).toBe('falls')
  })
})
