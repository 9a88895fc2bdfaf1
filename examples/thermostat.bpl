// A thermostat that heats while the room is cold, for any temperature that the sensor may report.
//
// What is wrong: when heating goes off, the power is not set back. The sensor is among the suspects,
// because for other temperatures nothing goes wrong; the power is, because another value is a repair.
// Try: whydunit examples/thermostat.bpl

procedure sense() returns (temperature: int);
  ensures -20 <= temperature && temperature <= 50;

procedure main()
{
  var temperature, power: int;
  var heating: bool;

  power := 100;
  call temperature := sense();
  heating := temperature < 18;
  if (heating) {
    power := 100;
  }
  assert heating || power == 0;
}
