/** Words that visitors of shops, offices and services use for one another, by field; each group is one meaning. */
export const MEANINGS = [
  // Money
  'paid pay payment settle; deposit downpayment prepayment; surcharge extra supplement additional; fine penalty charged fee; overdue late delay delayed; instalment installment monthly; card credit debit visa mastercard; cash coins; tax vat; coupon voucher promo code; discount concession reduced percent off; cheap cheapest affordable price; refund reimburse reimbursement; tip gratuity; transfer wire iban; earn income',
  // Time
  'weekend saturday sunday; weekday weekdays monday friday; christmas holiday holidays easter; noon midday; monthly month; annual yearly year; weekly week; daily day; postpone reschedule move shift dates; extend extension prolong renew longer; early earlier before; 24/7 always clock; duration last takes minutes; due deadline latest; expire expires valid validity',
  // People
  'kid kids child children under; senior seniors pensioner pensioners elderly retired; student students pupil pupils; client clients customer customers; wife husband spouse partner; owner landlord; tenant renter; group groups persons; adult adults; employee colleague coworker; trainer instructor teacher coach; beginner beginners novice',
  // Animals
  'puppy dog dogs; kitten cat cats; parrot budgie bird birds; bunny rabbit rabbits; snake lizard iguana turtle tortoise reptile reptiles; vet veterinary',
  // Traffic
  'ev tesla electric; motorbike motorcycle scooter moped; van truck lorry; coach bus; train rail railway; plane flight; taxi cab; petrol gas fuel diesel; socket plug outlet; charger charging charge; motorhome camper caravan rv; helmet helmets; licence license driving',
  // House
  'loo wc toilet toilets; heater heating radiator heat; aircon ac cooling; fridge refrigerator; laundry washing washer wash; rubbish trash garbage waste bin bins; noise noisy loud quiet silence; party parties; bonfire campfire fire fires flame; barbecue bbq grill grills; balcony terrace; garden yard; cigarette smoke smoking smoker vape; sheets linen bedding towels; leak leaking pipe; plumber caretaker janitor; tent pitch; neighbour neighbor; furniture; keycard key; subtenant sublet subletting',
  // Food
  'rolls bread bun bakery; lunch dinner meal meals; vegetarian vegan meatless; allergy allergic allergies allergen; gluten coeliac celiac; lactose milk dairy; beer wine alcohol alcoholic; restaurant cafe canteen; snack snacks food',
  // Health and body
  'hurt hurts pain ache; emergency urgent acute; insurer insurance insured; glasses spectacles; pregnant pregnancy; surgery operation; checkup examination; wheelchair disabled accessible accessibility barrier',
  // Shop and post
  'stock available availability; exchange swap replace; wrong incorrect; received receive get arrive arrived; track tracking; shipment parcel package; abroad international overseas countries; size sizes fit; assemble assembly; spare parts; gift present',
  // Computer
  'app application; iphone android phone smartphone; stuff everything data; backup backups; freeze frozen crash crashes hang; slow slowly speed; invite add; teammate teammates user users member members; plan plans subscription package tier; trial test; settings preferences options; sync synchronise synchronize; restore recover recovery reset; blink blinks blinking flash flashing flashes; lamp light led; button; code codes; locked blocked lock; browser chrome firefox safari; battery charge; bluetooth pair pairing',
  // Rules, tickets, visits
  'show appear turn; shoes sneakers trainers footwear boots; clothes clothing dress wear; swimsuit trunks shorts; id identification identity passport; admission entry entrance ticket tickets; photo camera photography filming; bag backpack luggage; found lost; locker lockers; guide guided tour tours; course courses class classes lesson lessons; certificate diploma; enrol enroll register registration sign; exam test; level levels; membership member; seat seats place; move relocate; complain complaint; contract agreement; proof document evidence; form forms application; apply application; birth certificate; married marriage wedding; fee fees',
].join('; ')

/** Everyday verbs: a base that lacks one may well speak of the thing that it is said of. */
export const VERBS =
  'bring brings brought receive receives received show shows shown move want wants need needs ask tell leave leaves left stay stays try tried look check check swap wear eat sleep sit stand walk drive fly travel visit meet call write read wait carry hold add know think believe like love hate prefer hope wish plan decide pick drop reach enter exit handle manage deal worry wonder forget forgot remember notice seem seems appear appears appeared mess messed mistake made miss missed pay own bought throw fit fits touch grab load loads pop pops click clicked press pressed type typed reload refresh'
